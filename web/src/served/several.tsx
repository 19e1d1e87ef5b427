// Several entries of a page at once: boxes to tick beside them, and one form for the ticked ones, or for all.

import { Fields } from "./fields.tsx";
import { Form, Submits } from "./forms.tsx";
import type { SeveralPart, Tick } from "./part-pages.ts";
import { useServed, useWords } from "./served.tsx";

const FORM = "several";

/** Draws the box beside an entry; it belongs to the form, wherever it is on the page. */
export const TickBox = ({ name, label }: Tick) => (
  <label class="tick-area">
    <input
      type="checkbox"
      class="tick"
      form={FORM}
      name={name}
      value="1"
      defaultChecked={useServed().refused?.fields?.[name] !== undefined}
      aria-label={useWords()(label)}
    />
  </label>
);

export const Several = (props: SeveralPart) => {
  const { action, ids, all, hidden, fields, buttons } = props;
  return (
    <Form class="several" id={FORM} action={action} hidden={{ listed: ids.join(","), ...hidden }}>
      <Fields
        fields={[ids.length > 1 && { name: "all", label: all, isBox: true }, ...(fields ?? [])]}
      />
      <Submits buttons={buttons} />
    </Form>
  );
};
