// Passkeys in forms of ours: asks the browser for one and sends the form with its answer.
(() => {
  const { browserSupportsWebAuthn, startAuthentication, startRegistration } =
    globalThis.SimpleWebAuthnBrowser;
  if (!browserSupportsWebAuthn()) return;
  for (const text of document.querySelectorAll("[data-without-passkeys]")) text.hidden = true;
  for (const text of document.querySelectorAll("[data-with-passkeys]")) text.hidden = false;

  /** In the language of the page. */
  const words = ({ dataset }, error) =>
    (error.name === "InvalidStateError" && dataset.onDevice) || dataset.noneUsed;

  const ask = async (form) => {
    const optionsJSON = JSON.parse(form.dataset.options);
    const start = form.dataset.passkey === "create" ? startRegistration : startAuthentication;
    form.elements.namedItem("credential").value = JSON.stringify(await start({ optionsJSON }));
    form.submit();
  };

  for (const form of document.querySelectorAll("form[data-passkey]")) {
    const fault = form.querySelector("[data-fault]");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      fault.hidden = true;
      ask(form).catch((error) => {
        fault.textContent = words(form, error);
        fault.hidden = false;
      });
    });
  }
})();
