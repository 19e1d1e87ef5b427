// A form that acts on a hashtag, with scripts or without.

import { FormFields } from "../elements/form-fields.tsx";

type Props = {
  name: string;
  act: "follow" | "unfollow" | "mute" | "unmute";
  children: preact.ComponentChildren;
};

export const TagForm = ({ name, act, children }: Props) => (
  <form
    method="post"
    action={`/web/act/tags/${encodeURIComponent(name)}/${act}`}
    data-act="save"
    data-done=""
  >
    <FormFields />
    {children}
  </form>
);
