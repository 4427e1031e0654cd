/**
 * A canvas measured in CSS pixels. The density of the screen is known here alone.
 */
export class Surface {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
  }

  /**
   * Clears the canvas and gives it its size.
   * @param {number} width
   * @param {number} height
   * @param {number} [density] device pixels per CSS pixel
   */
  fit(width, height, density = devicePixelRatio) {
    this.density = density;
    this.canvas.width = Math.round(width * density);
    this.canvas.height = Math.round(height * density);
    this.canvas.style.setProperty('width', `${width}px`);
    this.canvas.style.setProperty('height', `${height}px`);
    return density;
  }
}
