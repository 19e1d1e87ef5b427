// Lets the reader choose what a list of posts shows.

import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { choiceOf, choose } from "../window/choices.ts";
import type { Choice } from "../window/choices.ts";
import { Unfold } from "../elements/floating.tsx";
import { Icon } from "../elements/icons.tsx";

const PARTS = [
  ["withoutBoosts", "feed.boosts_shown"],
  ["withoutReplies", "feed.replies_shown"],
] as const satisfies [keyof Choice, string][];

/** `path` is where the posts of the list come from. It works only with scripts; its room is reserved before. */
export const FeedChoice = ({ path }: { path: string }) => {
  const { me, t } = useApp();
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  if (!me) return null;
  const choice = choiceOf(path);
  return (
    <Unfold
      label={t("feed.choice")}
      face={<Icon name="sliders" />}
      buttonClass={isReady ? "icon-button feed-choice" : "icon-button feed-choice unready"}
      class="choice-options"
      side="end"
    >
      {() => (
        <>
          <strong class="choice-title">{t("feed.choice")}</strong>
          {PARTS.map(([name, text]) => (
            <label key={name} class="choice-row">
              <span>{t(text)}</span>
              <input
                type="checkbox"
                checked={!choice[name]}
                onChange={(event) => choose(me.id, path, { [name]: !event.currentTarget.checked })}
              />
            </label>
          ))}
        </>
      )}
    </Unfold>
  );
};
