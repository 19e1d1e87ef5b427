// The hidden fields of a form: the proof that it is ours, where its response leads, and where it is where that differs;
// without scripts also what it has done, which the next page says.

import { addressOf, useApp } from "../app.ts";

export const FormFields = ({ back, done }: { back?: string; done?: string | undefined }) => {
  const { formToken, place, refused } = useApp();
  const said = done && <input type="hidden" name="done" value={done} />;
  return (
    <>
      <input type="hidden" name="form_token" value={formToken} />
      <input type="hidden" name="back" value={back ?? addressOf(place)} />
      {back !== undefined && <input type="hidden" name="from" value={addressOf(place)} />}
      {/* The page of a refused form has no scripts that would say it. */}
      {said && (refused ? said : <noscript>{said}</noscript>)}
    </>
  );
};
