// Zooms and moves a picture by wheel, fingers, double click and keys; at its normal size a swipe goes to the next one.

/** The direction in which the fingers went, or that they went down, which closes. */
export type Swipe = "left" | "right" | "close";

type Point = { x: number; y: number };
type View = Point & { scale: number };

const LARGEST = 8;
const STEP = 1.6;
/** Pixels of a swipe; a shorter one is a tap. */
const SWIPE_PX = 60;

const PLAIN: View = { scale: 1, x: 0, y: 0 };

const between = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value));

/** Keeps the picture within sight. */
const bounded = ({ scale, x, y }: View, { offsetWidth, offsetHeight }: HTMLElement): View => {
  const [roomX, roomY] = [(offsetWidth * (scale - 1)) / 2, (offsetHeight * (scale - 1)) / 2];
  return { scale, x: between(x, -roomX, roomX), y: between(y, -roomY, roomY) };
};

/** Zooms to `scale` around a point of the window, which stays in place. */
const zoomed = (view: View, scale: number, at: Point, element: HTMLElement): View => {
  const next = between(scale, 1, LARGEST);
  const box = element.getBoundingClientRect();
  const center = { x: box.left + box.width / 2 - view.x, y: box.top + box.height / 2 - view.y };
  const ratio = next / view.scale;
  const move = (offset: number, point: number, middle: number) =>
    point - middle - (point - middle - offset) * ratio;
  return bounded(
    { scale: next, x: move(view.x, at.x, center.x), y: move(view.y, at.y, center.y) },
    element,
  );
};

const swipeOf = (from: Point, to: Point): Swipe | null => {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  if (Math.abs(dx) > SWIPE_PX && Math.abs(dx) > 1.5 * Math.abs(dy))
    return dx < 0 ? "left" : "right";
  return dy > 1.5 * SWIPE_PX && dy > 1.5 * Math.abs(dx) ? "close" : null;
};

const distance = ([a, b]: Point[]): number => Math.hypot(a!.x - b!.x, a!.y - b!.y);

const middle = ([a, b]: Point[]): Point => ({ x: (a!.x + b!.x) / 2, y: (a!.y + b!.y) / 2 });

const pointOf = ({ clientX: x, clientY: y }: MouseEvent): Point => ({ x, y });

export type Zoom = { by(factor: number): void; toggle(): void; stop(): void };

export const startZoom = (element: HTMLElement, onSwipe: (swipe: Swipe) => void): Zoom => {
  let view = PLAIN;
  const fingers = new Map<number, Point>();
  let begin: Point | null = null;
  const show = (next: View): void => {
    view = next;
    const { x, y, scale } = next;
    element.style.transform = scale === 1 ? "" : `translate(${x}px, ${y}px) scale(${scale})`;
    element.classList.toggle("zoomed", scale > 1);
  };
  const center = (): Point => ({ x: innerWidth / 2, y: innerHeight / 2 });
  const to = (scale: number, at: Point) => show(zoomed(view, scale, at, element));
  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    to(view.scale * Math.exp(-event.deltaY / 300), pointOf(event));
  };
  const toggle = (at: Point): void => (view.scale > 1 ? show(PLAIN) : to(2.5, at));
  const onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, pointOf(event));
    begin = fingers.size === 1 ? pointOf(event) : null;
  };
  const onMove = (event: PointerEvent): void => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const before = [...fingers.values()];
    const now = pointOf(event);
    fingers.set(event.pointerId, now);
    if (fingers.size === 2) {
      const after = [...fingers.values()];
      to((view.scale * distance(after)) / Math.max(1, distance(before)), middle(after));
    } else if (view.scale > 1) {
      show(bounded({ ...view, x: view.x + now.x - last.x, y: view.y + now.y - last.y }, element));
    }
  };
  const onUp = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
    const swipe = begin && view.scale === 1 ? swipeOf(begin, pointOf(event)) : null;
    begin = null;
    if (swipe) onSwipe(swipe);
  };
  const onCancel = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
    begin = null;
  };
  const onDouble = (event: MouseEvent): void => toggle(pointOf(event));
  const stopper = new AbortController();
  const { signal } = stopper;
  element.addEventListener("wheel", onWheel, { passive: false, signal });
  element.addEventListener("pointerdown", onDown, { signal });
  element.addEventListener("pointermove", onMove, { signal });
  element.addEventListener("pointerup", onUp, { signal });
  element.addEventListener("pointercancel", onCancel, { signal });
  element.addEventListener("dblclick", onDouble, { signal });
  return {
    by: (factor) => to(view.scale * (factor > 1 ? STEP : 1 / STEP), center()),
    toggle: () => toggle(center()),
    stop: () => stopper.abort(),
  };
};
