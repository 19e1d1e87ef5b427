// Draws the question that is asked before something is lost.

import { useEffect } from "preact/hooks";
import { Decision } from "../elements/decision.tsx";
import { Sheet } from "../elements/sheet.tsx";
import { asked } from "../window/questions.ts";

/** Id of the text, which screen readers read with the title. */
const TEXT = "question-text";

const Asked = ({ title, text, yes, answer, onClosed }: NonNullable<typeof asked.value>) => {
  useEffect(() => onClosed, []);
  return (
    <Sheet
      title={title}
      role="alertdialog"
      about={text && TEXT}
      class="question"
      onClose={() => answer(false)}
    >
      {text && <p id={TEXT}>{text}</p>}
      {/* What has no consequence can be taken back. */}
      <Decision back="" tone={text ? "final" : "warns"} onAct={() => answer(true)}>
        {yes}
      </Decision>
    </Sheet>
  );
};

export const QuestionLayer = () => asked.value && <Asked {...asked.value} />;
