// Parts of a profile for members: their relationship, their own note, known followers.

import type { Account } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { ActButton } from "../elements/act-button.tsx";
import { Icon } from "../elements/icons.tsx";
import { plainName, profilePath, smallPicture } from "../elements/names.tsx";

const useRelation = (id: string) => useApp().store.relationships.get(id)?.value;

/** Draws marks beside the handle. */
export const Standing = ({ account }: { account: Account }) => {
  const { t } = useApp();
  const relation = useRelation(account.id);
  if (!relation) return null;
  const marks = [
    relation.followed_by && t("profile.follows_you"),
    relation.muting && t("profile.muted"),
    relation.blocking && t("profile.blocked"),
    relation.blocked_by && t("profile.blocks_you"),
    relation.domain_blocking && t("profile.domain_blocked"),
  ].filter((mark) => mark !== false);
  return (
    <>
      {marks.map((mark) => (
        <span key={mark} class="badge">
          {mark}
        </span>
      ))}
    </>
  );
};

/** Lets the member answer the person's follow request here as well. */
export const Asks = ({ account }: { account: Account }) => {
  const { t } = useApp();
  const relation = useRelation(account.id);
  if (!relation?.requested_by) return null;
  const name = plainName(account);
  return (
    <div class="notice row">
      <span>{t("profile.asks", { name })}</span>
      <ActButton
        class="button small"
        kind="follow_requests"
        id={account.id}
        act="authorize"
        label={t("profile.accept", { name })}
      >
        {t("profile.accept_short")}
      </ActButton>
      <ActButton
        class="button plain small"
        kind="follow_requests"
        id={account.id}
        act="reject"
        label={t("profile.reject", { name })}
      >
        {t("profile.reject_short")}
      </ActButton>
    </div>
  );
};

export const Note = ({ account }: { account: Account }) => {
  const { t } = useApp();
  const note = useRelation(account.id)?.note;
  if (!note) return null;
  return (
    <div class="own-note">
      <p class="soft small">
        {t("relation.note")} ·{" "}
        <a href={`${profilePath(account)}/note`} data-sheet role="button" aria-haspopup="dialog">
          {t("relation.note_edit")}
        </a>
      </p>
      <p class="version-text" dir="auto">
        {note}
      </p>
    </div>
  );
};

const SHOWN = 8;

export const Familiar = ({ ids }: { ids: readonly string[] }) => {
  const { store, t } = useApp();
  const accounts = ids.map((id) => store.accounts.get(id)!.value);
  const [first] = accounts;
  if (!first) return null;
  const others = accounts.length - 1;
  return (
    <p class="familiar">
      <span class="faces">
        {accounts.slice(0, SHOWN).map((account) => (
          <a
            key={account.id}
            href={profilePath(account)}
            aria-label={plainName(account)}
            title={plainName(account)}
          >
            <img src={smallPicture(account)} alt="" width="28" height="28" loading="lazy" />
          </a>
        ))}
      </span>
      <span class="soft small">
        {others === 0
          ? t("profile.familiar_one", { name: plainName(first) })
          : t("profile.familiar", { name: plainName(first), count: others })}
      </span>
    </p>
  );
};

/** Says that older posts of a remote person were never sent here. */
export const Elsewhere = ({ account }: { account: Account }) => {
  const { t } = useApp();
  if (!account.acct.includes("@") || !/^https?:\/\//i.test(account.url ?? "")) return null;
  return (
    <p class="pager soft">
      {t("profile.elsewhere", { name: plainName(account) })}{" "}
      <a href={account.url!} target="_blank" rel="nofollow noopener noreferrer">
        {t("profile.original")} <Icon name="out" />
      </a>
    </p>
  );
};
