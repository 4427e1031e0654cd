/** Calls `paint` once before the next picture of the screen, however often it is asked for. The one
 * owner of animation frames; a hidden page, which has none, is painted by the clock. */
export function oncePerFrame(paint: () => void): () => void {
  let isAsked = false;
  const run = () => {
    isAsked = false;
    paint();
  };
  return () => {
    if (isAsked) return;
    isAsked = true;
    if (document.hidden) setTimeout(run);
    else requestAnimationFrame(run);
  };
}

/** Calls `work` when the page has nothing else to do. Safari knows no idle time: there it is soon. */
export function whenIdle(work: () => void) {
  if ('requestIdleCallback' in window) requestIdleCallback(work);
  else setTimeout(work, 500);
}
