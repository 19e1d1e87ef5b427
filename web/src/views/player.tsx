// Draws the player of a video or recording elsewhere: its picture, and the player itself once that is pressed, so that
// nothing is loaded from there before. Without scripts the player opens alone.

import { useEffect, useRef, useState } from "preact/hooks";
import type { PreviewCard } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { Icon } from "../elements/icons.tsx";
import { isPlainClick } from "../window/plain-click.ts";

type Props = {
  card: PreviewCard;
  /** Page of ours with the player alone. */
  path: string;
  picture: string | null;
};

type PlayingProps = Pick<Props, "card" | "path"> & { close: () => void };

const Playing = ({ card, path, close }: PlayingProps) => {
  const { t } = useApp();
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => frame.current!.focus(), []);
  // Keys reach our page in the frame, until the focus is in the player itself.
  const listen = () =>
    frame.current?.contentWindow?.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") close();
    });
  return (
    <div class="playing">
      <iframe
        ref={frame}
        class="player"
        src={path}
        title={card.title}
        allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
        onLoad={listen}
      />
      <button type="button" class="button plain small" onClick={close}>
        {t("sheet.close")}
      </button>
    </div>
  );
};

export const Player = ({ card, path, picture }: Props) => {
  const { t } = useApp();
  const link = useRef<HTMLAnchorElement>(null);
  const [state, setState] = useState<"unpressed" | "playing" | "closed">("unpressed");
  useEffect(() => {
    if (state === "closed") link.current!.focus();
  }, [state]);
  const open = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    setState("playing");
  };
  if (state === "playing")
    return <Playing card={card} path={path} close={() => setState("closed")} />;
  const { title } = card;
  return (
    <a
      ref={link}
      class="player"
      href={path}
      target="_blank"
      rel="noopener"
      aria-label={t("media.play", { title, host: new URL(card.url).host })}
      onClick={open}
    >
      {picture && <img src={picture} alt="" loading="lazy" decoding="async" />}
      <Icon name="play" />
    </a>
  );
};
