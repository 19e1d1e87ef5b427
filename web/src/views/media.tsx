// Draws the pictures, videos and recordings of a post: a single one keeps its shape, several share a grid of equal
// tiles.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { MediaAttachment, Status } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { CoverSummary } from "../elements/cover-summary.tsx";
import { lookOf } from "../look.ts";
import { useReading } from "../text/reading.ts";

type Size = { width: number; height: number };

const webUrl = (url: string | null | undefined): string | null =>
  url && /^https?:\/\//i.test(url) ? url : null;

/** Largest size of a picture in pixels. */
const BOX: Size = { width: 768, height: 512 };

/** Returns the size reduced to fit into the box, never enlarged, in the same shape. */
const fitted = ({ width, height }: Size): Size => {
  const scale = Math.min(1, BOX.width / width, BOX.height / height);
  const scaled = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: scaled(width), height: scaled(height) };
};

const sizeOf = (
  { meta }: MediaAttachment,
  which: "original" | "small" = "original",
): Size | null => {
  const { width, height } = (meta?.[which] ?? {}) as Partial<Record<keyof Size, unknown>>;
  const isSize = (length: unknown): length is number =>
    typeof length === "number" && Number.isInteger(length) && length > 0;
  return isSize(width) && isSize(height) ? { width, height } : null;
};

/** Returns the size reserved for a picture before it is loaded. */
const roomFor = (size: Size | null): Partial<Size> => (size ? fitted(size) : {});

/** Approximate size of a gallery's tiles in pixels; smaller pictures would be enlarged. */
const TILE: Size = { width: 320, height: 240 };
const LONGEST = 2.2;

/** Whether cutting it to a tile would enlarge it or leave only a part of it. */
const staysWhole = ({ width, height }: Size): boolean =>
  width < TILE.width || height < TILE.height || Math.max(width / height, height / width) > LONGEST;

/** Returns the class that keeps the focus of a picture visible where it is cut. */
export const focusClass = ({ meta }: MediaAttachment): string | undefined => {
  const { x, y } = (meta?.["focus"] ?? {}) as { x?: unknown; y?: unknown };
  if (typeof x !== "number" || typeof y !== "number") return undefined;
  const tenth = (value: number) => Math.round(Math.min(1, Math.max(0, (value + 1) / 2)) * 10);
  return `focus-x${tenth(x)} focus-y${tenth(-y)}`;
};

/** Returns the classes that keep the focus of a picture visible where it is cut, or keep it whole. */
const classOf = (media: MediaAttachment): string | undefined => {
  const size = sizeOf(media);
  if (size && staysWhole(size)) return "whole";
  return focusClass(media);
};

const Picture = ({ media, label }: { media: MediaAttachment; label: string }) => {
  const url = webUrl(media.url);
  return (
    <a class="media-item" href={url ?? undefined} data-media={media.id}>
      <img
        src={webUrl(media.preview_url) ?? url ?? undefined}
        alt={label}
        {...roomFor(sizeOf(media))}
        class={classOf(media)}
        loading="lazy"
        decoding="async"
      />
    </a>
  );
};

/** Plays a video only where motion is welcome, and while it is visible. */
const playInSight = (video: HTMLVideoElement): (() => void) | undefined => {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return undefined;
  const observer = new IntersectionObserver(([entry]) => {
    // A browser that forbids playing shows the controls.
    if (entry?.isIntersecting) video.play().catch(() => undefined);
    else video.pause();
  });
  observer.observe(video);
  return () => observer.disconnect();
};

const Film = ({ media, label }: { media: MediaAttachment; label: string }) => {
  const isLoop = media.type === "gifv";
  const video = useRef<HTMLVideoElement>(null);
  const { look } = useApp();
  const { autoplay } = useReading();
  const plays = isLoop && autoplay && lookOf(look, "motion") !== "reduced";
  useEffect(() => (plays ? playInSight(video.current!) : undefined), [plays]);
  return (
    <video
      ref={video}
      class="media-item"
      src={webUrl(media.url) ?? undefined}
      poster={webUrl(media.preview_url) ?? undefined}
      {...roomFor(sizeOf(media))}
      controls
      loop={isLoop}
      muted={isLoop}
      playsInline
      preload="none"
      aria-label={label}
    />
  );
};

const Sound = ({ media, label }: { media: MediaAttachment; label: string }) => (
  <div class="sound">
    {webUrl(media.preview_url) && (
      <img src={media.preview_url!} alt="" {...roomFor(sizeOf(media, "small"))} loading="lazy" />
    )}
    <audio src={webUrl(media.url) ?? undefined} controls preload="none" aria-label={label} />
  </div>
);

/** Draws the author's description on a picture. */
const Described = ({ media, label }: { media: MediaAttachment; label: string }) => {
  const { t, look } = useApp();
  if (!media.description) return <Picture media={media} label={label} />;
  return (
    <div class="described">
      <Picture media={media} label={label} />
      <details class="alt" open={lookOf(look, "alt") === "shown"}>
        <summary title={t("media.description")}>ALT</summary>
        <p dir="auto">{media.description}</p>
      </details>
    </div>
  );
};

const Item = ({ media }: { media: MediaAttachment }) => {
  const { t } = useApp();
  const label = media.description || t(`media.${media.type}`);
  if (media.type === "image") return <Described media={media} label={label} />;
  if (media.type === "video" || media.type === "gifv") return <Film media={media} label={label} />;
  if (media.type === "audio") return <Sound media={media} label={label} />;
  const url = webUrl(media.remote_url) ?? webUrl(media.url);
  return (
    <a href={url ?? undefined} target="_blank" rel="nofollow noopener noreferrer">
      {label}
    </a>
  );
};

/** Draws the descriptions of videos and recordings below them, since these have their own controls. */
const Captions = ({ media }: { media: readonly MediaAttachment[] }) => {
  const { t, look } = useApp();
  const described = media.filter(({ type, description }) => type !== "image" && description);
  if (described.length === 0) return null;
  return (
    <details class="alt alt-below" open={lookOf(look, "alt") === "shown"}>
      <summary title={t("media.description")}>ALT</summary>
      {described.map(({ id, description }) => (
        <p key={id} dir="auto">
          {description}
        </p>
      ))}
    </details>
  );
};

type Covering = Pick<Status, "sensitive" | "spoiler_text"> & {
  /** True when it is covered only because the reader wants all media hidden. */
  isHarmless?: boolean;
};

/** Covers what a post shows where that is sensitive and no folded warning above hides it. */
export const Covered = ({
  status,
  children,
}: {
  status: Covering;
  children: ComponentChildren;
}) => {
  const { t } = useApp();
  const { spoilers } = useReading();
  if (!status.sensitive || (status.spoiler_text && !spoilers)) return <>{children}</>;
  return (
    <details class="cover">
      <CoverSummary>{t(status.isHarmless ? "media.hidden" : "media.sensitive")}</CoverSummary>
      {children}
    </details>
  );
};

export const Gallery = ({ status }: { status: Covering & Pick<Status, "media_attachments"> }) => {
  const { media_attachments: media } = status;
  if (media.length === 0) return null;
  const visual = media.filter(({ type }) => ["image", "video", "gifv"].includes(type));
  return (
    <Covered status={status}>
      <div class={visual.length > 1 ? `gallery gallery-${Math.min(visual.length, 4)}` : "gallery"}>
        {media.map((each) => (
          <Item key={each.id} media={each} />
        ))}
      </div>
      <Captions media={media} />
    </Covered>
  );
};
