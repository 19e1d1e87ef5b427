// Follows or unfollows somebody: at once, except where a slip would lose the follow.

import type { Account, Relationship } from "../api/entities.ts";
import { useApp } from "../app.ts";
import type { Key } from "../texts/texts.ts";
import { ActButton } from "../elements/act-button.tsx";
import { profilePath, plainName } from "../elements/names.tsx";

const offered = (relation: Relationship | undefined): Key =>
  relation?.followed_by ? "profile.follow_back" : "profile.follow";

export const FollowButton = ({ account, isSmall }: { account: Account; isSmall?: boolean }) => {
  const { t, store } = useApp();
  const relation = store.relationships.get(account.id)?.value;
  const size = isSmall ? " small" : "";
  const name = plainName(account);
  if (relation?.blocking)
    return (
      <ActButton
        class={`button plain${size}`}
        kind="accounts"
        id={account.id}
        act="unblock"
        label={t("relation.unblock_name", { name })}
      >
        {t("relation.unblock_short")}
      </ActButton>
    );
  if (relation?.following || relation?.requested) {
    const text = t(relation.following ? "profile.unfollow" : "profile.requested");
    return (
      <a
        class={`button plain${size}`}
        href={`${profilePath(account)}/unfollow`}
        data-sheet
        role="button"
        aria-haspopup="dialog"
        aria-label={t("relation.unfollow_name", { name, state: text })}
      >
        {text}
      </a>
    );
  }
  const text = t(account.locked ? "profile.ask_follow" : offered(relation));
  return (
    <ActButton
      class={`button${size}`}
      kind="accounts"
      id={account.id}
      act="follow"
      label={t("relation.follow_name", { name, act: text })}
    >
      {text}
    </ActButton>
  );
};
