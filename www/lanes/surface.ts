/** A canvas measured in CSS pixels. The density of the screen is known here alone. */
export class Surface {
  readonly canvas: HTMLCanvasElement;

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
  }

  /** Clears the canvas and gives it its size; density is device pixels per CSS pixel. */
  fit(width: number, height: number, density = devicePixelRatio) {
    this.canvas.width = Math.round(width * density);
    this.canvas.height = Math.round(height * density);
    this.canvas.style.setProperty('width', `${width}px`);
    this.canvas.style.setProperty('height', `${height}px`);
    return density;
  }
}
