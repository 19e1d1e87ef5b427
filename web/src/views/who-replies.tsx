// Says below a post, before anybody writes, who may reply to it, where its author does not let everybody.

import type { Status } from "../api/entities.ts";
import { mayReply, replyPolicyOf } from "../api/visibility.ts";
import { useApp } from "../app.ts";
import type { StoredStatus } from "../store/store.ts";
import { shownName } from "../elements/names.tsx";

export const WhoReplies = ({ status }: { status: Status | StoredStatus }) => {
  const { t } = useApp();
  const { reply_approval: approval, account } = status;
  const policy = replyPolicyOf(status);
  if (!approval || policy === "public") return null;
  const who = t(`replies.${policy}`, { name: shownName(account) });
  const asks = approval.current_user === "manual" ? ` ${t("replies.asks")}` : "";
  return (
    <p class="post-replies soft small">
      {who}
      {asks}
    </p>
  );
};

/** Returns null when the viewer may reply, as far as is known. */
export const useReplyRefusal = (status: Status | StoredStatus): string | null => {
  const { t } = useApp();
  return mayReply(status)
    ? null
    : t(`replies.${replyPolicyOf(status)}`, { name: shownName(status.account) });
};
