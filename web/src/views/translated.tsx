// Draws the translation of a post, beside the original.

import { useApp } from "../app.ts";
import { dropTranslation, translationOf } from "../window/translations.ts";
import { languageName } from "../text/language-name.ts";
import { RichText } from "../text/rich-text.tsx";

export const Translated = ({ id }: { id: string }) => {
  const { t, locale } = useApp();
  const translation = translationOf(id);
  if (!translation) return null;
  const { content, spoiler_text, provider, detected_source_language: from, poll } = translation;
  const language = languageName(locale, from || "und") ?? from;
  return (
    <section class="translation" lang={translation.language} aria-label={t("translate.label")}>
      {spoiler_text && <p>{spoiler_text}</p>}
      <div class="text" dir="auto">
        <RichText html={content} />
      </div>
      {poll && (
        <ul>
          {poll.options.map(({ title }, index) => (
            <li key={index}>{title}</li>
          ))}
        </ul>
      )}
      {translation.media_attachments.map(({ id: media, description }) => (
        <p key={media} class="soft small">
          {description}
        </p>
      ))}
      <p class="soft small">
        {t("translate.from", { language, provider })}{" "}
        <button type="button" class="link-button" onClick={() => dropTranslation(id)}>
          {t("translate.close")}
        </button>
      </p>
    </section>
  );
};
