// Mails about accounts in French.

import type { MailTexts } from "./shape.ts";

export const fr: MailTexts = {
  hello: "Bonjour {name},",
  confirm: {
    subject: "Confirmez votre adresse e-mail pour {site}",
    title: "Confirmez votre adresse e-mail",
    text: "Merci de votre inscription sur {site}. Ouvrez ce lien pour confirmer votre adresse e-mail.",
    button: "Confirmer l’adresse e-mail",
    after:
      "Le lien expire dans {days} jours. Si vous ne vous êtes pas inscrit·e, ignorez cet e-mail.",
  },
  reset: {
    subject: "Réinitialisez votre mot de passe pour {site}",
    title: "Réinitialisez votre mot de passe",
    text: "Quelqu’un a demandé à réinitialiser le mot de passe de votre compte sur {site}. Si c’est vous, ouvrez ce lien pour choisir un nouveau mot de passe.",
    button: "Choisir un nouveau mot de passe",
    after:
      "Le lien fonctionne une seule fois et expire dans {hours} heures. Si ce n’est pas vous, ignorez cet e-mail : votre mot de passe reste le même.",
  },
  newAddress: {
    subject: "Confirmez votre nouvelle adresse e-mail pour {site}",
    title: "Confirmez votre nouvelle adresse e-mail",
    text: "Ouvrez ce lien pour utiliser cette adresse e-mail avec votre compte sur {site}.",
    button: "Confirmer la nouvelle adresse",
    after: "Le lien expire dans 24 heures. Si vous n’avez rien demandé, ignorez cet e-mail.",
  },
  approved: {
    title: "Votre compte sur {site} a été approuvé",
    text: "Les responsables du serveur ont approuvé votre compte. Vous pouvez maintenant vous connecter.",
    button: "Se connecter",
  },
  rejected: {
    title: "Votre inscription sur {site} n’a pas été acceptée",
    text: "Merci de votre intérêt. Les responsables du serveur ont décidé de ne pas accepter votre inscription. Vos données ont été supprimées.",
  },
  security: {
    "password-changed": {
      title: "Votre mot de passe a été modifié",
      text: "Le mot de passe de votre compte a été modifié. Toutes les applications et les autres navigateurs ont été déconnectés.",
    },
    "email-asked": {
      title: "Changement d’adresse e-mail demandé",
      text: "Quelqu’un a demandé à changer l’adresse e-mail de votre compte. Elle change dès que le lien envoyé à la nouvelle adresse est ouvert.",
    },
    "email-changed": {
      title: "Votre adresse e-mail a été modifiée",
      text: "L’adresse e-mail de votre compte a été modifiée. Ceci est le dernier e-mail envoyé à cette adresse.",
    },
    "two-factor-on": {
      title: "L’authentification à deux facteurs a été activée",
      text: "La connexion à votre compte demande désormais un code de votre application d’authentification.",
    },
    "two-factor-off": {
      title: "L’authentification à deux facteurs a été désactivée",
      text: "La connexion à votre compte ne demande plus de code de votre application d’authentification.",
    },
    "recovery-codes": {
      title: "Nouveaux codes de récupération",
      text: "De nouveaux codes de récupération ont été créés pour votre compte. Les anciens ne fonctionnent plus.",
    },
    "passkey-added": {
      title: "Une clé d’accès a été ajoutée",
      text: "Une clé d’accès a été ajoutée à votre compte. Elle permet désormais de s’y connecter.",
    },
    "passkey-removed": {
      title: "Une clé d’accès a été retirée",
      text: "Une clé d’accès a été retirée de votre compte.",
    },
    "account-deleted": {
      title: "Votre compte a été supprimé",
      text: "Votre compte a été supprimé, avec son profil et ses messages. Ceci est le dernier e-mail envoyé à cette adresse.",
    },
  },
  notYou: {
    question: "Si ce n’est pas vous, réinitialisez votre mot de passe immédiatement.",
    button: "Réinitialiser le mot de passe",
    after: "Vérifiez ensuite vos sessions et applications sur {address}.",
  },
  notYouGone:
    "Si ce n’est pas vous, contactez les responsables de ce serveur. Un compte supprimé ne peut pas être rétabli.",
  decisions: {
    none: {
      title: "Avertissement de la modération",
      text: "La modération vous a envoyé un avertissement.",
    },
    disable: {
      title: "Votre compte a été gelé",
      text: "La modération a gelé votre compte. Vous ne pouvez pas l’utiliser ; votre profil et vos messages restent tels quels.",
    },
    mark_statuses_as_sensitive: {
      title: "Vos messages ont été marqués comme sensibles",
      text: "La modération a masqué les médias de certains de vos messages derrière un avertissement.",
    },
    delete_statuses: {
      title: "Vos messages ont été supprimés",
      text: "La modération a supprimé certains de vos messages, car ils enfreignent les règles de ce serveur.",
    },
    sensitive: {
      title: "Vos messages sont désormais marqués comme sensibles",
      text: "La modération a décidé que tous les médias que vous publiez sont masqués derrière un avertissement.",
    },
    silence: {
      title: "Votre compte a été limité",
      text: "La modération a limité votre compte. Seules les personnes qui vous suivent déjà voient vos messages dans leurs fils.",
    },
    suspend: {
      title: "Votre compte a été suspendu",
      text: "La modération a suspendu votre compte. Votre profil et vos messages sont masqués et seront supprimés après 30 jours.",
    },
  },
  decision: {
    named: "La décision : {decision}",
    posts: "Messages concernés : {count}",
    button: "Voir la décision",
    appeal:
      "Si vous pensez que c’est une erreur, vous pouvez la contester à cette adresse sous {days} jours.",
  },
  appealFiled: { title: "@{name} conteste une décision", button: "Décider" },
  appealAccepted: {
    title: "Votre contestation a été acceptée",
    text: "La modération est revenue sur sa décision. Les messages supprimés ne reviennent pas.",
  },
  appealRejected: {
    title: "Votre contestation a été rejetée",
    text: "La modération a réexaminé la décision, et la maintient.",
  },
  archive: {
    title: "Votre archive est prête",
    text: "L’archive de vos messages et de vos fichiers peut être téléchargée pendant {days} jours.",
    button: "Télécharger",
  },
  scheduledRefused: {
    title: "Votre message programmé n’a pas été publié",
    text: "La raison est : {why} Le message reste parmi vos messages programmés, où vous pouvez choisir une autre heure ou le supprimer.",
  },
};
