// Mails about accounts in Italian.

import type { MailTexts } from "./shape.ts";

export const it: MailTexts = {
  hello: "Ciao {name},",
  confirm: {
    subject: "Conferma il tuo indirizzo e-mail per {site}",
    title: "Conferma il tuo indirizzo e-mail",
    text: "Grazie per esserti registrato su {site}. Apri questo link per confermare il tuo indirizzo e-mail.",
    button: "Conferma indirizzo e-mail",
    after:
      "Il link scade tra {days} giorni. Se non ti sei registrato, puoi ignorare questa e-mail.",
  },
  reset: {
    subject: "Reimposta la tua password per {site}",
    title: "Reimposta la tua password",
    text: "Qualcuno ha chiesto di reimpostare la password del tuo account su {site}. Se sei stato tu, apri questo link per scegliere una nuova password.",
    button: "Scegli una nuova password",
    after:
      "Il link funziona una sola volta e scade tra {hours} ore. Se non sei stato tu, puoi ignorare questa e-mail: la tua password resta la stessa.",
  },
  newAddress: {
    subject: "Conferma il tuo nuovo indirizzo e-mail per {site}",
    title: "Conferma il tuo nuovo indirizzo e-mail",
    text: "Apri questo link per usare questo indirizzo e-mail per il tuo account su {site}.",
    button: "Conferma nuovo indirizzo",
    after: "Il link scade tra 24 ore. Se non l’hai chiesto tu, puoi ignorare questa e-mail.",
  },
  approved: {
    title: "Il tuo account su {site} è stato approvato",
    text: "Chi gestisce il server ha approvato il tuo account. Ora puoi accedere.",
    button: "Accedi",
  },
  rejected: {
    title: "La tua registrazione su {site} non è stata accettata",
    text: "Grazie per l’interesse. Chi gestisce il server ha deciso di non accettare la tua registrazione. I tuoi dati sono stati eliminati.",
  },
  security: {
    "password-changed": {
      title: "La tua password è stata cambiata",
      text: "La password del tuo account è stata cambiata. Tutte le app e gli altri browser sono stati disconnessi.",
    },
    "email-asked": {
      title: "Richiesto il cambio dell’indirizzo e-mail",
      text: "Qualcuno ha chiesto di cambiare l’indirizzo e-mail del tuo account. Cambierà quando verrà aperto il link inviato al nuovo indirizzo.",
    },
    "email-changed": {
      title: "Il tuo indirizzo e-mail è stato cambiato",
      text: "L’indirizzo e-mail del tuo account è stato cambiato. Questa è l’ultima e-mail a questo indirizzo.",
    },
    "two-factor-on": {
      title: "L’autenticazione a due fattori è stata attivata",
      text: "Per accedere al tuo account ora serve un codice della tua app di autenticazione.",
    },
    "two-factor-off": {
      title: "L’autenticazione a due fattori è stata disattivata",
      text: "Per accedere al tuo account non serve più un codice della tua app di autenticazione.",
    },
    "recovery-codes": {
      title: "Nuovi codici di recupero",
      text: "Sono stati creati nuovi codici di recupero per il tuo account. Quelli vecchi non funzionano più.",
    },
    "passkey-added": {
      title: "È stata aggiunta una passkey",
      text: "Al tuo account è stata aggiunta una passkey. Ora può essere usata per accedere.",
    },
    "passkey-removed": {
      title: "È stata rimossa una passkey",
      text: "Dal tuo account è stata rimossa una passkey.",
    },
    "account-deleted": {
      title: "Il tuo account è stato eliminato",
      text: "Il tuo account è stato eliminato, con il profilo e i post. Questa è l’ultima e-mail a questo indirizzo.",
    },
  },
  notYou: {
    question: "Se non sei stato tu, reimposta subito la tua password.",
    button: "Reimposta la password",
    after: "Poi controlla le tue sessioni e app su {address}.",
  },
  notYouGone:
    "Se non sei stato tu, contatta chi gestisce questo server. Un account eliminato non può essere ripristinato.",
  decisions: {
    none: {
      title: "Avviso dei moderatori",
      text: "I moderatori ti hanno inviato un avviso.",
    },
    disable: {
      title: "Il tuo account è stato congelato",
      text: "I moderatori hanno congelato il tuo account. Non puoi usarlo; il profilo e i post restano come sono.",
    },
    mark_statuses_as_sensitive: {
      title: "I tuoi post sono stati contrassegnati come sensibili",
      text: "I moderatori hanno nascosto dietro un avviso i media di alcuni tuoi post.",
    },
    delete_statuses: {
      title: "I tuoi post sono stati rimossi",
      text: "I moderatori hanno rimosso alcuni tuoi post perché violano le regole di questo server.",
    },
    sensitive: {
      title: "Da ora i tuoi post sono contrassegnati come sensibili",
      text: "I moderatori hanno deciso che tutti i media che pubblichi vengano nascosti dietro un avviso.",
    },
    silence: {
      title: "Il tuo account è stato limitato",
      text: "I moderatori hanno limitato il tuo account. Solo chi ti segue già vede i tuoi post nella propria timeline.",
    },
    suspend: {
      title: "Il tuo account è stato sospeso",
      text: "I moderatori hanno sospeso il tuo account. Il profilo e i post sono nascosti e verranno eliminati dopo 30 giorni.",
    },
  },
  decision: {
    named: "La decisione: {decision}",
    posts: "Post interessati: {count}",
    button: "Vedi la decisione",
    appeal: "Se pensi che sia sbagliata, puoi presentare ricorso lì entro {days} giorni.",
  },
  appealFiled: { title: "@{name} presenta ricorso contro una decisione", button: "Decidi" },
  appealAccepted: {
    title: "Il tuo ricorso è stato accolto",
    text: "I moderatori hanno annullato la decisione. I post eliminati non tornano.",
  },
  appealRejected: {
    title: "Il tuo ricorso è stato respinto",
    text: "I moderatori hanno riesaminato la decisione, che resta valida.",
  },
  archive: {
    title: "Il tuo archivio è pronto",
    text: "L’archivio dei tuoi post e file può essere scaricato per {days} giorni.",
    button: "Scarica",
  },
  scheduledRefused: {
    title: "Il tuo post programmato non è stato pubblicato",
    text: "Il motivo è: {why} Il post resta tra i tuoi post programmati, dove puoi scegliere un altro orario o eliminarlo.",
  },
};
