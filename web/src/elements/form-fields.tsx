// The hidden fields of a form: the proof that it is ours, and where its answer leads.

import { addressOf, useApp } from "../app.ts";

export const FormFields = ({ back }: { back?: string }) => {
  const { formToken, place } = useApp();
  return (
    <>
      <input type="hidden" name="form_token" value={formToken} />
      <input type="hidden" name="back" value={back ?? addressOf(place)} />
    </>
  );
};
