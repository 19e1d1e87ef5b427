// Makes an empty draft, and converts the server's response to an upload.

import type { MediaAttachment } from "../api/entities.ts";
import type { App } from "../app.ts";
import { newPart, savedForm } from "./draft.ts";
import type { Draft, DraftMedia, Purpose } from "./draft.ts";

/** Returns an empty draft with the person's preferences. */
export const blank = ({ me, locale }: App, purpose: Purpose, text: string): Draft => {
  const { privacy, language, quote_policy, reply_policy, sensitive, content_type } = me!.source;
  return {
    purpose,
    parts: [{ ...newPart(text), sensitive }],
    visibility: privacy,
    widest: "public",
    language: language ?? locale,
    contentType: content_type,
    quotePolicy: quote_policy,
    replyPolicy: reply_policy ?? "public",
    inReplyTo: null,
    quoted: null,
    scheduledAt: "",
    begin: text,
  };
};

const focusOf = ({ meta }: MediaAttachment) => ({
  x: meta?.focus?.x ?? 0,
  y: meta?.focus?.y ?? 0,
});

/** Converts the server's answer to an upload. */
export const draftMedia = (media: MediaAttachment, name = ""): DraftMedia => {
  const about = { description: media.description ?? "", focus: focusOf(media) };
  const { id, type, preview_url: preview } = media;
  return { id, type, preview, name, ...about, saved: savedForm(about) };
};
