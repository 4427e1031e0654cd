//! An image as PNG, inside a picture.
//!
//! Source: Portable Network Graphics, second edition, W3C 2003, §5 and §11.

use base64::engine::Engine;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::deflate::compress_to_vec_zlib;

use super::RgbaImage;

const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a];

/// Eight bits of red, green, blue and opacity; deflated, no filter method but the one there is, and not
/// interlaced.
const RGBA: [u8; 5] = [8, 6, 0, 0, 0];

/// How much is tried to make it small: 9 takes twice as long for 2 % less.
const LEVEL: u8 = 6;

/// `image` as the address of itself: `data:image/png;base64,…`.
pub fn data_url(image: &RgbaImage) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(png(image)))
}

fn png(image: &RgbaImage) -> Vec<u8> {
    let size = [image.width, image.height].map(u32::to_be_bytes).concat();
    // Before each row stands how it is filtered: not at all.
    let mut rows = Vec::with_capacity(image.pixels.len() + image.height as usize);
    for row in image.pixels.chunks(4 * image.width.max(1) as usize) {
        rows.push(0);
        rows.extend_from_slice(row);
    }
    let mut bytes = SIGNATURE.to_vec();
    chunk(&mut bytes, *b"IHDR", &[&size[..], &RGBA].concat());
    chunk(&mut bytes, *b"IDAT", &compress_to_vec_zlib(&rows, LEVEL));
    chunk(&mut bytes, *b"IEND", &[]);
    bytes
}

fn chunk(bytes: &mut Vec<u8>, kind: [u8; 4], content: &[u8]) {
    bytes.extend((content.len() as u32).to_be_bytes());
    let begin = bytes.len();
    bytes.extend(kind);
    bytes.extend_from_slice(content);
    let sum = crc32(&bytes[begin..]);
    bytes.extend(sum.to_be_bytes());
}

/// O(bytes), bit by bit: an image of a lane has some hundred kilobytes.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            if sum & 1 == 1 { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 }
        })
    })
}

#[cfg(test)]
mod tests {
    use miniz_oxide::inflate::decompress_to_vec_zlib;

    use super::*;

    #[test]
    fn sums_are_those_of_the_standard() {
        // Source: ITU-T V.42; its check value.
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        // The sum that ends every PNG.
        assert!(png(&RgbaImage::default()).ends_with(&[0xae, 0x42, 0x60, 0x82]));
    }

    #[test]
    fn pixels_are_there_row_by_row() {
        let pixels = (0..24).collect::<Vec<u8>>();
        let image =
            RgbaImage { width: 3, height: 2, pixels: pixels.clone(), ..RgbaImage::default() };
        let bytes = png(&image);
        assert_eq!(&bytes[..8], SIGNATURE);
        assert_eq!((&bytes[12..16], &bytes[16..24]), (&b"IHDR"[..], &[0, 0, 0, 3, 0, 0, 0, 2][..]));
        let length = u32::from_be_bytes([bytes[33], bytes[34], bytes[35], bytes[36]]) as usize;
        assert_eq!(&bytes[37..41], b"IDAT");
        let rows = decompress_to_vec_zlib(&bytes[41..41 + length]).unwrap();
        assert_eq!(rows, [&[0][..], &pixels[..12], &[0], &pixels[12..]].concat());
    }
}
