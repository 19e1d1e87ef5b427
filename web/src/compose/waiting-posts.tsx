// Lists the posts that are sent as soon as the server can be reached; each can be opened to be changed or discarded.

import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { Icon } from "../elements/icons.tsx";
import { beginningOf } from "../text/summary.ts";
import { listWaiting, revision } from "./browser-drafts.ts";
import { draftName, textsOf } from "./draft.ts";
import type { Draft } from "./draft.ts";
import { openComposer } from "./open.ts";

/** Characters of text; about a line. */
const TEXT_LENGTH = 80;

export const WaitingPosts = () => {
  const { me, t } = useApp();
  const [waiting, setWaiting] = useState<readonly Draft[]>([]);
  useEffect(() => {
    const read = (): void => setWaiting(listWaiting(localStorage, me!.id));
    read();
    // Another window may have sent them.
    addEventListener("storage", read);
    return () => removeEventListener("storage", read);
  }, [revision.value]);
  return waiting.map(({ purpose, parts }) => (
    <p key={draftName(purpose)} class="notice composer-state waiting-post">
      <Icon name="clock" />
      <span>
        {t("drafts.waiting")}
        <span class="soft" dir="auto">
          {beginningOf(textsOf(parts).join(" / "), TEXT_LENGTH)}
        </span>
      </span>
      <button type="button" onClick={() => openComposer({ purpose })}>
        {t("drafts.open")}
      </button>
    </p>
  ));
};
