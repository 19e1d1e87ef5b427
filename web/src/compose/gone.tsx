// Says that what a draft replies to or quotes was deleted meanwhile, and offers to go on without it. What was written
// stays.

import { useEffect, useState } from "preact/hooks";
import type { Status } from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import { useApp } from "../app.ts";
import { Icon } from "../elements/icons.tsx";
import { dropStatus, keepStatus } from "../store/store.ts";
import type { Session } from "./at-work.ts";
import { change } from "./session.ts";

/** Whether the post was deleted. It is asked for where the window does not know it, and after the draft was refused. */
const useIsGone = ({ trouble }: Session, id: string | null): boolean => {
  const { get, store } = useApp();
  const [missing, setMissing] = useState<string | null>(null);
  const refused = trouble.value !== null;
  useEffect(() => {
    if (id === null || (store.statuses.has(id) && !refused)) return;
    get<Status>(`/api/v1/statuses/${id}`).then(
      ({ body }) => void keepStatus(store, body),
      (error: unknown) => {
        if (!(error instanceof ApiError) || error.status !== 404) return;
        dropStatus(store, id);
        setMissing(id);
      },
    );
  }, [id, refused]);
  return id !== null && (missing === id || store.statuses.get(id)?.value.isGone === true);
};

/** Returns which of the two was deleted; an edit keeps what it replies to and quotes. */
export const useGone = (session: Session): "inReplyTo" | "quoted" | null => {
  const { purpose, inReplyTo, quoted } = session.draft.value;
  const isNew = purpose.kind !== "edit";
  const isParentGone = useIsGone(session, isNew ? inReplyTo : null);
  const isQuotedGone = useIsGone(session, isNew ? quoted : null);
  if (isParentGone) return "inReplyTo";
  return isQuotedGone ? "quoted" : null;
};

const WORDS = {
  inReplyTo: ["compose.parent_gone", "compose.without_parent"],
  quoted: ["compose.quoted_gone", "compose.without_quoted"],
} as const;

export const GoneNote = ({
  session,
  gone,
}: {
  session: Session;
  gone: NonNullable<ReturnType<typeof useGone>>;
}) => {
  const { t } = useApp();
  const [text, act] = WORDS[gone];
  const detach = ({ currentTarget }: MouseEvent): void => {
    // The button goes, so that writing goes on in the text.
    const form = (currentTarget as HTMLElement).closest("form");
    change(session, (draft) => {
      const next = { ...draft, [gone]: null };
      const isAlone = next.inReplyTo === null && next.quoted === null;
      return isAlone ? { ...next, widest: "public" } : next;
    });
    form?.querySelector("textarea")?.focus();
  };
  return (
    <p class="notice bad composer-state">
      <Icon name="warning" />
      <span>{t(text)}</span>
      <button type="button" onClick={detach}>
        {t(act)}
      </button>
    </p>
  );
};
