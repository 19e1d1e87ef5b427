// Draws a list of people, each with a button to follow.

import { useApp } from "../app.ts";
import { FollowButton } from "./follow-button.tsx";
import { More } from "../elements/more.tsx";
import { PersonRow } from "../elements/names.tsx";

type Props = { ids: readonly string[]; next: Record<string, string> | null; empty: string };

export const PeopleList = ({ ids, next, empty }: Props) => {
  const { store, me } = useApp();
  if (ids.length === 0)
    return (
      <div class="empty">
        <p>{empty}</p>
      </div>
    );
  return (
    <>
      <div class="feed">
        {ids.map((id) => {
          const account = store.accounts.get(id)!.value;
          return (
            <PersonRow key={id} account={account}>
              {me && me.id !== id && <FollowButton account={account} isSmall />}
            </PersonRow>
          );
        })}
      </div>
      <More next={next} text="people.more" />
    </>
  );
};
