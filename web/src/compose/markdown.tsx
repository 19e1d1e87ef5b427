// Switches Markdown on, and shows how the text will look, as the server renders it.

import { useEffect, useState } from "preact/hooks";
import type { StatusPreview } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { RichText } from "../text/rich-text.tsx";
import type { Draft, Part } from "./draft.ts";
import type { Session } from "./at-work.ts";
import { Tool } from "./tool.tsx";

export const isMarkdown = ({ contentType }: Draft): boolean => contentType === "text/markdown";

type Props = { hasPreview: boolean; onPreview(isOpen: boolean): void };

export const PreviewTool = ({ hasPreview, onPreview }: Props) => {
  const { t } = useApp();
  return (
    <Tool
      icon="eye"
      label={t("compose.preview")}
      pressed={hasPreview}
      onClick={() => onPreview(!hasPreview)}
    />
  );
};

/** Milliseconds after the last key when the server is asked again. */
const AFTER_MS = 1500;

/** Returns null while nothing was answered yet. */
const usePreview = (session: Session, text: string): StatusPreview | null => {
  const [preview, setPreview] = useState<StatusPreview | null>(null);
  useEffect(() => {
    let isOver = false;
    const ask = async (): Promise<void> => {
      const body = { status: text, content_type: "text/markdown" };
      const { send } = session.app;
      const answer = await send<StatusPreview>("POST", "/api/v1/statuses/preview", { body });
      if (!isOver) setPreview(answer.body);
    };
    // On a failure the last preview stays; posting reports what is wrong.
    const timer = setTimeout(() => void ask().catch(() => {}), preview ? AFTER_MS : 0);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text]);
  return preview;
};

export const Preview = ({ session, part }: { session: Session; part: Part }) => {
  const { t } = useApp();
  const preview = usePreview(session, part.text);
  return (
    <section class="composer-preview" aria-label={t("compose.preview")} aria-live="polite">
      {preview ? (
        <div class="text" dir="auto">
          <RichText html={preview.content} emojis={preview.emojis} />
        </div>
      ) : (
        <p class="soft">{t("compose.loading")}</p>
      )}
    </section>
  );
};
