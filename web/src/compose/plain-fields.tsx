// Draws the further fields of the form to write with, without scripts: with them the editor has tools for each.

import type { MediaAttachment } from "../api/entities.ts";
import { useApp } from "../app.ts";
import type { FileRows } from "../app.ts";
import { QUOTE_POLICIES, REPLY_POLICIES } from "../api/visibility.ts";
import { EndOptions } from "./end.tsx";

const ChoiceFields = () => {
  const { me, place, t } = useApp();
  const policy = place.query["quote_policy"] ?? me!.source.quote_policy;
  const type = place.query["content_type"] ?? me!.source.content_type;
  const answers = place.query["reply_policy"] ?? me!.source.reply_policy;
  return (
    <p class="composer-more">
      <label>
        {t("compose.warning")}{" "}
        <input type="text" name="spoiler_text" defaultValue={place.query["warning"] ?? ""} />
      </label>
      <label>
        {t("compose.content_type")}{" "}
        <select name="content_type">
          <option value="text/plain">{t("compose.plain")}</option>
          <option value="text/markdown" selected={type === "text/markdown"}>
            {t("compose.markdown")}
          </option>
        </select>
      </label>
      <label>
        {t("compose.quote_policy")}{" "}
        <select name="quote_approval_policy">
          {QUOTE_POLICIES.map((each) => (
            <option key={each} value={each} selected={each === policy}>
              {t(`compose.quote_${each}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t("compose.reply_policy")}{" "}
        <select name="reply_approval_policy">
          {REPLY_POLICIES.map((each) => (
            <option key={each} value={each} selected={each === answers}>
              {t(`compose.reply_${each}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t("compose.end")}{" "}
        <select name="expires_in">
          <EndOptions chosen={place.query["expires_in"] ?? ""} />
        </select>
      </label>
    </p>
  );
};

/** Draws a field for each further file, with its description; `texts`: the descriptions that a refused form had. */
export const FileFields = ({
  first,
  total,
  texts,
}: FileRows & { texts: Partial<Record<string, string | readonly string[]>> }) => {
  const { site, t } = useApp();
  return Array.from({ length: total - first }, (_each, index) => {
    const place = { count: first + index + 1, total };
    const name = `description_${place.count}`;
    return (
      <p key={name} class="composer-more">
        <label>
          {t("compose.media_item", place)}{" "}
          <input type="file" name={`file_${place.count}`} accept="image/*,video/*,audio/*" />
        </label>
        <label>
          {t("compose.describe_of", place)}{" "}
          <textarea
            name={name}
            rows={2}
            maxLength={site.limits.descriptionCharacters || undefined}
            dir="auto"
            defaultValue={String(texts[name] ?? "")}
          />
        </label>
      </p>
    );
  });
};

/** Draws what was uploaded before the post was refused; what is not wanted any more is unticked. */
const Uploaded = ({ media }: { media: readonly MediaAttachment[] }) => {
  const { t } = useApp();
  return (
    <fieldset class="composer-uploaded">
      <legend>{t("compose.media")}</legend>
      {media.map(({ id, preview_url: preview, description }, index) => (
        <label key={id} class="tick">
          <input type="checkbox" name="media_ids[]" value={id} defaultChecked />
          {preview && <img src={preview} alt="" />}
          <span dir="auto">
            {description ?? t("compose.media_item", { count: index + 1, total: media.length })}
          </span>
        </label>
      ))}
    </fieldset>
  );
};

const MediaFields = ({ media }: { media: readonly MediaAttachment[] }) => {
  const { place, refused, site, t } = useApp();
  const texts = refused?.fields ?? {};
  // Files of a refused form have to be chosen again, unless they were uploaded.
  const isLost = Object.keys(texts).some((name) => name.startsWith("file_"));
  return (
    <>
      {media.length > 0 && <Uploaded media={media} />}
      <details open={isLost}>
        <summary>{t("compose.add_media")}</summary>
        <FileFields first={media.length} total={site.limits.media} texts={texts} />
        <label class="tick">
          <input
            type="checkbox"
            name="sensitive"
            value="true"
            defaultChecked={place.query["sensitive"] === "true"}
          />
          {t("compose.sensitive")}
        </label>
      </details>
    </>
  );
};

export const PlainFields = ({ media }: { media: readonly MediaAttachment[] }) => (
  <>
    <ChoiceFields />
    <MediaFields media={media} />
  </>
);
