// Draws a suggested person: who they are in a few lines, and the button to follow them.

import type { Account } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { plainText } from "../text/parse-html.ts";
import { withEmojis } from "../text/rich-text.tsx";
import { Avatar, Name, fullHandle, profilePath } from "../elements/names.tsx";
import { Actions } from "./profile-card.tsx";

const LENGTH = 160;

const shortBio = ({ note }: Account): string => {
  const text = plainText(note).replaceAll(/\s+/g, " ").trim();
  return text.length <= LENGTH ? text : `${text.slice(0, LENGTH - 1).replace(/\s+\S{0,15}$/, "")}…`;
};

const PersonCard = ({ account }: { account: Account }) => {
  const { site, t, me } = useApp();
  const bio = shortBio(account);
  return (
    <article class="person person-card">
      <Avatar account={account} />
      <div class="person-card-text">
        <a class="person-names" href={profilePath(account)}>
          <strong>
            <Name account={account} />
          </strong>
          <span class="handle">{fullHandle(account, site.domain)}</span>
        </a>
        {bio && (
          <p class="person-bio" dir="auto">
            {withEmojis(bio, account.emojis)}
          </p>
        )}
        <p class="soft small">{t("profile.count_followers", { count: account.followers_count })}</p>
      </div>
      {me?.id !== account.id && <Actions account={account} />}
    </article>
  );
};

/** Draws people of the store as a list. */
export const PersonCards = ({ ids }: { ids: readonly string[] }) => (
  <div class="feed">
    {ids.map((id) => (
      <PersonCardOf key={id} id={id} />
    ))}
  </div>
);

/** Draws a person of the store. */
export const PersonCardOf = ({ id }: { id: string }) => {
  const { store } = useApp();
  const account = store.accounts.get(id)?.value;
  return account ? <PersonCard account={account} /> : null;
};
