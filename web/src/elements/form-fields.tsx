// The hidden fields of a form: the proof that it is ours, where its response leads, and where it is where that differs.

import { addressOf, useApp } from "../app.ts";

export const FormFields = ({ back }: { back?: string }) => {
  const { formToken, place } = useApp();
  return (
    <>
      <input type="hidden" name="form_token" value={formToken} />
      <input type="hidden" name="back" value={back ?? addressOf(place)} />
      {back !== undefined && <input type="hidden" name="from" value={addressOf(place)} />}
    </>
  );
};
