use super::super::prior::{bends, of_cell};
use super::PenalisedSpline;

/// Windows of equal width that may be smooth each in its own way.
const WINDOWS: usize = 8;
/// Steps from one λ to theirs; a step may change each by this factor at most.
const STEPS: usize = 12;
const MOST_CHANGE: f64 = 30.0;
/// A gain below this, in units of twice the log likelihood, ends the steps.
const TOO_LITTLE_GAIN: f64 = 0.1;

/// Relative λ of each cell if each window has the λ that is likeliest for it, and −2 log of the
/// likelihood with what so many numbers cost: the logarithm of the cells for each but one.
///
/// Source: Wood and Fasiolo 2017, *A generalized Fellner-Schall method for smoothing parameter
/// optimization*, Biometrics 73.
pub fn stiffness(spline: &PenalisedSpline, lambda: f64) -> (Vec<f64>, f64) {
    let mesh = spline.mesh();
    let window = |cell: usize| {
        let extent = mesh.extent(cell);
        ((extent.start + extent.end) / 2.0 * WINDOWS as f64) as usize
    };
    let windows = (0..mesh.cells()).map(window).collect::<Vec<_>>();
    let [finest, widest] = spline.sought().map(libm::exp);
    let mut relative = [1.0; WINDOWS];
    let of_cells = |relative: &[f64; WINDOWS]| {
        windows.iter().map(|window| relative[*window]).collect::<Vec<_>>()
    };
    let (mut least, mut likeliest) = (f64::INFINITY, relative);
    for _ in 0..STEPS {
        let stiffened = spline.stiffened(&of_cells(&relative));
        // A window that is all but straight is sought stiffer and stiffer, until rounding tells.
        let solved = stiffened.solved(lambda);
        let cost = stiffened.minus_two_reml_of(&solved);
        let gain = least - cost;
        if gain > 0.0 {
            (least, likeliest) = (cost, relative);
        }
        if gain < TOO_LITTLE_GAIN {
            break;
        }
        let variance = stiffened.variance_of(&solved);
        let inverse = solved.factor.inverse();
        let mut bend = [0.0; WINDOWS];
        let mut free = [0.0; WINDOWS];
        for ((cell, window), own) in windows.iter().enumerate().zip(bends(mesh, &solved.fitted)) {
            let bend_of = &mesh.bends()[cell];
            let form = of_cell(bend_of);
            let entry = |(i, j): (usize, usize)| {
                form[i][j] * inverse.0[bend_of.first + i.min(j)][i.abs_diff(j)]
            };
            let trace = (0..16).map(|place| entry((place / 4, place % 4))).sum::<f64>();
            bend[*window] += own;
            free[*window] += 1.0 - lambda * relative[*window] * trace;
        }
        for (relative, (bend, free)) in relative.iter_mut().zip(bend.iter().zip(free)) {
            let own = free.max(1e-3) * variance / (lambda * bend.max(f64::MIN_POSITIVE));
            let next = own.clamp(*relative / MOST_CHANGE, *relative * MOST_CHANGE);
            *relative = next.clamp(finest / lambda, widest / lambda);
        }
    }
    let cost = (WINDOWS - 1) as f64 * libm::log(mesh.cells() as f64);
    (of_cells(&likeliest), least + cost)
}
