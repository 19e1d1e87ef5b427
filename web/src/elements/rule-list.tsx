// Lists the rules of the server, without their hints.

import type { Rule } from "../api/entities.ts";

export const RuleList = ({ rules }: { rules: readonly Rule[] }) => (
  <ol class="house-rules">
    {rules.map(({ id, text }) => (
      <li key={id}>
        <span>{text}</span>
      </li>
    ))}
  </ol>
);
