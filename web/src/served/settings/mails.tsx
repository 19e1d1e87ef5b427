// The pages of mails: which ones somebody gets, and the letter of the month.

import { FieldForm } from "../forms.tsx";
import type { Field } from "../forms.tsx";
import { Rows } from "../rows.tsx";
import type { Row } from "../rows.tsx";
import { useText } from "../served.tsx";
import type { SettingsPages } from "../settings-pages.ts";

export const Mails = ({ data: { email, kinds, on } }: { data: SettingsPages["mails"] }) => {
  const fields: readonly Field[] = [
    { legend: ["mails.when", { email }], boxes: kinds },
    {
      legend: "mails.even",
      boxes: [{ name: "always", label: "mails.always" }],
      hint: "mails.security",
    },
  ];
  const values = Object.fromEntries(on.map((name) => [name, true]));
  return <FieldForm action="/settings/mail" fields={fields} values={values} submit="mails.save" />;
};

const LETTER = "/settings/letter";

type LetterData = SettingsPages["letter"];

const MonthLink = ({ month }: { month: LetterData["month"] }) => (
  <a href={`${LETTER}?month=${month.id}`}>{month.name}</a>
);

const useTopRow = () => {
  const t = useText();
  return ({ path, text }: NonNullable<LetterData["top"]>): Row => ({
    id: "top",
    title: <a href={path}>{t("mail.letter.top")}</a>,
    lines: [<bdi>{text}</bdi>],
  });
};

export const Letter = ({ data }: { data: LetterData }) => {
  const t = useText();
  const topRow = useTopRow();
  const { email, isOn, month, earlier, later, figures, top } = data;
  const rows = figures.map(({ label, text }) => ({ id: label, title: t(label), lines: [text] }));
  return (
    <>
      <p>{t("letter.about", { email })}</p>
      <FieldForm
        action={LETTER}
        hidden={{ letter: isOn ? "0" : "1" }}
        submit={isOn ? "letter.off" : "letter.on"}
        kind={isOn ? "plain" : ""}
      />
      <h2>{month.name}</h2>
      <Rows rows={top ? [...rows, topRow(top)] : rows} />
      <p class="actions">
        <span>
          {t("letter.earlier")} <MonthLink month={earlier} />
        </span>
        {later && (
          <span>
            {t("letter.later")} <MonthLink month={later} />
          </span>
        )}
      </p>
      <p class="soft small">{t("letter.how")}</p>
    </>
  );
};
