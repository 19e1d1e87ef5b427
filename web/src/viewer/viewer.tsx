// Shows the media of a post one by one, as large as the window: zoomed and moved by hand, wheel or keys, with the
// description below and, where there is room, the post beside. Going back in the browser closes it.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { MediaAttachment } from "../api/entities.ts";
import { AppProvider, useApp } from "../app.ts";
import type { App } from "../app.ts";
import { lookOf } from "../look.ts";
import { useModal } from "../window/modals.ts";
import { overlay } from "../window/overlay.ts";
import { stepAlong, toTheRight } from "../text/direction.ts";
import { Icon } from "../elements/icons.tsx";
import { MenuLayer } from "../elements/menu.tsx";
import { MessageLine } from "../elements/message.tsx";
import { PostOf } from "../views/post.tsx";
import { startZoom } from "./zoom.ts";
import type { Swipe, Zoom } from "./zoom.ts";

export type Media = Pick<MediaAttachment, "id" | "type" | "url" | "preview_url" | "description">;

export type Viewed = {
  media: readonly Media[];
  index: number;
  /** Post shown beside, where there is room. */
  statusId?: string;
};

const webUrl = (url: string | null): string | undefined =>
  url && /^https?:\/\//i.test(url) ? url : undefined;

const Picture = ({ media, onSwipe, zoom }: ItemProps) => {
  const image = useRef<HTMLImageElement>(null);
  // This runs before the first key can come; each picture has an element of its own.
  useLayoutEffect(() => {
    const started = startZoom(image.current!, onSwipe);
    zoom.current = started;
    return started.stop;
  }, []);
  const { url, preview_url, description } = media;
  return (
    <img
      ref={image}
      class="viewer-media"
      src={webUrl(url) ?? webUrl(preview_url)}
      alt={description ?? ""}
      draggable={false}
    />
  );
};

type ItemProps = {
  media: Media;
  onSwipe: (swipe: Swipe) => void;
  zoom: { current: Zoom | null };
};

const Film = ({ media }: { media: Media }) => {
  const { look } = useApp();
  const isLoop = media.type === "gifv";
  const isCalm = lookOf(look, "motion") === "reduced";
  const mayMove = !isCalm && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  return (
    <video
      class="viewer-media"
      src={webUrl(media.url)}
      poster={webUrl(media.preview_url)}
      controls
      loop={isLoop}
      muted={isLoop}
      autoplay={isLoop && mayMove}
      playsInline
      aria-label={media.description ?? undefined}
    />
  );
};

const Item = (props: ItemProps) => {
  const { media } = props;
  if (media.type === "video" || media.type === "gifv") return <Film media={media} />;
  if (media.type !== "audio") return <Picture {...props} />;
  return <audio src={webUrl(media.url)} controls aria-label={media.description ?? undefined} />;
};

const Tools = ({ media, zoom }: Pick<ItemProps, "media" | "zoom">) => {
  const { t } = useApp();
  const url = webUrl(media.url);
  return (
    <div class="viewer-tools">
      {media.type === "image" && (
        <button
          type="button"
          aria-label={t("viewer.zoom")}
          title={t("viewer.zoom")}
          onClick={() => zoom.current?.toggle()}
        >
          <Icon name="search" />
        </button>
      )}
      {url && (
        <a href={url} download aria-label={t("viewer.download")} title={t("viewer.download")}>
          <Icon name="download" />
        </a>
      )}
      {url && (
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={t("viewer.open")}
          title={t("viewer.open")}
        >
          <Icon name="out" />
        </a>
      )}
      <button type="button" aria-label={t("sheet.close")} title={t("sheet.close")} onClick={close}>
        <Icon name="close" />
      </button>
    </div>
  );
};

/** Closes by going back, so that going back never leads into a closed viewer. */
const close = (): void => history.back();

const Turn = ({ to, onClick }: { to: "before" | "after"; onClick: () => void }) => {
  const { t } = useApp();
  const text = t(to === "before" ? "viewer.before" : "viewer.after");
  return (
    <button
      type="button"
      class={`viewer-turn viewer-${to}`}
      aria-label={text}
      title={text}
      onClick={onClick}
    >
      <Icon name={to === "before" ? "back" : "next"} />
    </button>
  );
};

const ZOOMS: Record<string, (zoom: Zoom) => void> = {
  "+": (zoom) => zoom.by(2),
  "=": (zoom) => zoom.by(2),
  "-": (zoom) => zoom.by(0.5),
  "0": (zoom) => zoom.toggle(),
};

const Viewer = ({ media, index, statusId }: Viewed) => {
  const app = useApp();
  const { t } = app;
  const dialog = useRef<HTMLDialogElement>(null);
  const zoom = useRef<Zoom | null>(null);
  const [at, setAt] = useState(index);
  const item = media[at]!;
  const turn = (by: number) => setAt((now) => Math.min(media.length - 1, Math.max(0, now + by)));
  useModal(dialog);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as Element).closest("video, audio, input")) return;
    const [step, zooms] = [stepAlong(event.key, dialog.current!), ZOOMS[event.key]];
    if (!step && !zooms) return;
    event.preventDefault();
    if (step) turn(step);
    else if (zoom.current) zooms?.(zoom.current);
  };
  const onSwipe = (swipe: Swipe) => {
    if (swipe === "close") close();
    else turn(swipe === "left" ? toTheRight(dialog.current!) : -toTheRight(dialog.current!));
  };
  return (
    <dialog
      ref={dialog}
      class={statusId ? "viewer with-post" : "viewer"}
      aria-label={t("viewer.label")}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <div class="viewer-stage">
        <Tools media={item} zoom={zoom} />
        {at > 0 && <Turn to="before" onClick={() => turn(-1)} />}
        <figure key={item.id}>
          <div class="viewer-frame">
            <Item media={item} onSwipe={onSwipe} zoom={zoom} />
          </div>
          <figcaption>
            {media.length > 1 && (
              <span class="viewer-count" role="status">
                {t("viewer.count", { number: at + 1, total: media.length })}
              </span>
            )}
            {item.description && <p dir="auto">{item.description}</p>}
          </figcaption>
        </figure>
        {at < media.length - 1 && <Turn to="after" onClick={() => turn(1)} />}
      </div>
      {statusId && (
        <aside class="viewer-post">
          <PostOf id={statusId} isMain />
        </aside>
      )}
      <MenuLayer dialog={dialog} />
      <MessageLine base={app} dialog={dialog} />
    </dialog>
  );
};

/** Opens the viewer above the page, whose address stays. */
export const openViewer = (app: App, viewed: Viewed): void => {
  const opener = document.activeElement as HTMLElement | null;
  history.pushState({ ...(history.state as object), viewer: true }, "");
  overlay.value = () => (
    <AppProvider value={app}>
      <Viewer {...viewed} />
    </AppProvider>
  );
  const onBack = (event: PopStateEvent): void => {
    event.stopImmediatePropagation();
    window.removeEventListener("popstate", onBack, { capture: true });
    overlay.value = null;
    requestAnimationFrame(() => opener?.focus({ preventScroll: true }));
  };
  window.addEventListener("popstate", onBack, { capture: true });
};
