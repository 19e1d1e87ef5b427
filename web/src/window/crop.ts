// Cuts a picture to the shape of an avatar or header: it is dragged or moved by arrow keys, and its size chosen. Loaded
// when it is needed.

type Size = { width: number; height: number };
type Words = Record<"title" | "zoom" | "done" | "cancel", string>;
type Cut = { x: number; y: number; zoom: number };

const STEP = 20;

const between = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

/**
 * Returns the visible part of the picture: as large as its shape allows, divided by the zoom, and within the picture.
 */
export const partOf = (picture: Size, shape: Size, { x, y, zoom }: Cut) => {
  const scale = Math.min(picture.width / shape.width, picture.height / shape.height) / zoom;
  const width = shape.width * scale;
  const height = shape.height * scale;
  return {
    x: between(x - width / 2, 0, picture.width - width),
    y: between(y - height / 2, 0, picture.height - height),
    width,
    height,
  };
};

const element = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  values: Partial<HTMLElementTagNameMap[K]> = {},
): HTMLElementTagNameMap[K] => Object.assign(document.createElement(name), values);

const drawPart = (canvas: HTMLCanvasElement, picture: ImageBitmap, cut: Cut): number => {
  const part = partOf(picture, canvas, cut);
  // The cut stops at the edges.
  cut.x = part.x + part.width / 2;
  cut.y = part.y + part.height / 2;
  const { x, y, width, height } = part;
  canvas
    .getContext("2d")!
    .drawImage(picture, x, y, width, height, 0, 0, canvas.width, canvas.height);
  return width / canvas.clientWidth;
};

const KEYS: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

const followHands = (canvas: HTMLCanvasElement, move: (x: number, y: number) => void): void => {
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons === 1) move(-event.movementX, -event.movementY);
  });
  canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
  canvas.addEventListener("keydown", (event) => {
    const [x, y] = KEYS[event.key] ?? [];
    if (x === undefined || y === undefined) return;
    event.preventDefault();
    move(x, y);
  });
};

const toFile = (canvas: HTMLCanvasElement, name: string): Promise<File | null> =>
  new Promise((resolve) => {
    canvas.toBlob(
      (blob) => resolve(blob && new File([blob], name, { type: blob.type })),
      "image/png",
    );
  });

/** Returns the cut picture; null where the person keeps the whole one. */
export const cropPicture = async (file: File, shape: Size, words: Words): Promise<File | null> => {
  const picture = await createImageBitmap(file);
  const cut: Cut = { x: picture.width / 2, y: picture.height / 2, zoom: 1 };
  const dialog = element("dialog", { className: "crop", ariaLabel: words.title });
  const canvas = element("canvas", {
    ...shape,
    tabIndex: 0,
    role: "img",
    ariaLabel: words.title,
  });
  const zoom = element("input", { type: "range", min: "1", max: "4", step: "0.05", value: "1" });
  const label = element("label", { textContent: words.zoom });
  label.append(zoom);
  const done = element("button", { className: "button", textContent: words.done, value: "done" });
  const cancel = element("button", { className: "button plain", textContent: words.cancel });
  const form = element("form", { method: "dialog" });
  form.append(cancel, done);
  dialog.append(element("h2", { textContent: words.title }), canvas, label, form);
  document.body.append(dialog);
  dialog.showModal();
  let scale = drawPart(canvas, picture, cut);
  followHands(canvas, (x, y) => {
    cut.x += x * scale;
    cut.y += y * scale;
    scale = drawPart(canvas, picture, cut);
  });
  zoom.addEventListener("input", () => {
    cut.zoom = Number(zoom.value);
    scale = drawPart(canvas, picture, cut);
  });
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  const cropped = dialog.returnValue === "done" ? await toFile(canvas, file.name) : null;
  dialog.remove();
  return cropped;
};
