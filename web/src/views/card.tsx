// Draws the preview of a page that a post links to: a link like any other, below the player that the page names.

import type { PreviewCard } from "../api/entities.ts";

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "");

const short = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/\s+\S{0,15}$/, "")}…`;

export const Card = ({ card, isCovered }: { card: PreviewCard; isCovered: boolean }) => {
  if (!/^https?:\/\//i.test(card.url)) return null;
  const author = card.authors[0]?.account?.acct ?? card.author_name;
  const source = [card.provider_name || hostOf(card.url), author].filter(Boolean).join(" · ");
  return (
    <a
      class="link-card"
      href={card.url}
      target="_blank"
      rel="nofollow noopener noreferrer"
      lang={card.language ?? undefined}
    >
      {card.image && !isCovered && (
        <img
          src={card.image}
          alt={card.image_description ?? ""}
          width={card.width || undefined}
          height={card.height || undefined}
          loading="lazy"
        />
      )}
      <span class="link-card-text">
        <span class="soft small">{source}</span>
        <strong>{card.title || hostOf(card.url)}</strong>
        {card.description && <span class="soft">{short(card.description, 140)}</span>}
      </span>
    </a>
  );
};
