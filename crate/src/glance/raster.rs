/// What holds most of each pixel, row by row: see [`Raster::NOTHING`] and [`Raster::NONE`]; the number
/// of a cluster, or a step of a scale from 1 to [`Raster::STEPS`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Raster {
    /// What the columns show, as shares of the run time; the last may reach beyond its end.
    pub from: f64,
    pub to: f64,
    pub rows: u32,
    pub columns: u32,
    /// Between what values the scale of the colours lies: nanoseconds, or instructions per cycle. 0
    /// where they are on none.
    pub scale: [f64; 2],
    /// A bit for each of the lowest eight classes that the run has anywhere.
    pub present: u8,
    pub classes: Vec<u8>,
    /// Of each column the share of the threads' time that is not computed, 0 to 255.
    pub waiting: Vec<u8>,
}

impl Raster {
    /// No thread computes for most of the pixel.
    pub const NOTHING: u8 = 0;
    /// In no cluster, or without a value.
    pub const NONE: u8 = 255;
    /// Classes from this one on, but [`Self::NONE`], are of bursts that are not brushed: see
    /// [`Self::not_brushed`]. So clusters from this number on have no class of their own.
    pub const NOT_BRUSHED: u8 = 100;
    /// Steps of durations and of IPC.
    pub const STEPS: u8 = 8;

    /// The class that tells the same of a burst that is not brushed.
    pub fn not_brushed(class: u8) -> u8 {
        if class == Self::NONE { Self::NONE - 1 } else { class + Self::NOT_BRUSHED }
    }

    /// The class of a burst that is not brushed, if it were.
    pub fn brushed(class: u8) -> u8 {
        if class == Self::NONE - 1 { Self::NONE } else { class - Self::NOT_BRUSHED }
    }

    /// The same as bytes: both shares, the scale, the number of columns, what is present, classes, and
    /// what is not computed.
    pub fn to_bytes(&self) -> Vec<u8> {
        let [low, high] = self.scale;
        let numbers = [self.from, self.to, low, high].map(f64::to_le_bytes);
        let (columns, present) = (self.columns.to_le_bytes(), [self.present]);
        [numbers.as_flattened(), &columns, &present, &self.classes, &self.waiting].concat()
    }

    /// What [`Self::to_bytes`] made; of other bytes a raster of nothing.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self::read(bytes).unwrap_or_default()
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (numbers, bytes) = bytes.split_first_chunk::<32>()?;
        let (numbers, _) = numbers.as_chunks();
        let [from, to, low, high] = [0, 1, 2, 3].map(|at| f64::from_le_bytes(numbers[at]));
        let (columns, bytes) = bytes.split_first_chunk()?;
        let (present, bytes) = bytes.split_first()?;
        let columns = u32::from_le_bytes(*columns);
        let width = columns as usize;
        let rows = bytes.len().checked_div(width)?.checked_sub(1)?;
        let (classes, waiting) = bytes.split_at_checked(rows * width)?;
        Some(Self {
            from,
            to,
            scale: [low, high],
            present: *present,
            rows: rows as u32,
            columns,
            classes: classes.to_vec(),
            waiting: waiting.get(..width)?.to_vec(),
        })
    }

    /// The column in which a share of the run time lies, if it is shown.
    pub fn column(&self, share: f64) -> Option<usize> {
        let column = (share - self.from) / (self.to - self.from) * f64::from(self.columns);
        (0.0..f64::from(self.columns)).contains(&column).then_some(column as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_tell_all_of_a_raster_and_bytes_that_are_cut_tell_nothing() {
        let raster = Raster {
            from: 0.25,
            to: 1.125,
            rows: 2,
            columns: 3,
            scale: [2.5, 1e9],
            present: 0b1000_0001,
            classes: vec![1, 0, 255, 8, 8, 101],
            waiting: vec![0, 255, 7],
        };
        let bytes = raster.to_bytes();
        assert_eq!(Raster::from_bytes(&bytes), raster);
        for cut in 0..37 {
            assert_eq!(Raster::from_bytes(&bytes[..cut]), Raster::default(), "{cut}");
        }
    }
}
