// Mails about accounts in Spanish.

import type { MailTexts } from "./shape.ts";

export const es: MailTexts = {
  hello: "Hola, {name}:",
  confirm: {
    subject: "Confirma tu dirección de correo para {site}",
    title: "Confirma tu dirección de correo",
    text: "Gracias por registrarte en {site}. Abre este enlace para confirmar tu dirección de correo.",
    button: "Confirmar dirección de correo",
    after: "El enlace caduca en {days} días. Si no te has registrado, puedes ignorar este correo.",
  },
  reset: {
    subject: "Restablece tu contraseña de {site}",
    title: "Restablece tu contraseña",
    text: "Alguien ha pedido restablecer la contraseña de tu cuenta en {site}. Si has sido tú, abre este enlace para elegir una contraseña nueva.",
    button: "Elegir una contraseña nueva",
    after:
      "El enlace funciona una sola vez y caduca en {hours} horas. Si no has sido tú, puedes ignorar este correo: tu contraseña no cambia.",
  },
  newAddress: {
    subject: "Confirma tu nueva dirección de correo para {site}",
    title: "Confirma tu nueva dirección de correo",
    text: "Abre este enlace para usar esta dirección de correo en tu cuenta de {site}.",
    button: "Confirmar nueva dirección",
    after: "El enlace caduca en 24 horas. Si no lo has pedido, puedes ignorar este correo.",
  },
  approved: {
    title: "Tu cuenta en {site} ha sido aprobada",
    text: "Quienes administran el servidor han aprobado tu cuenta. Ya puedes iniciar sesión.",
    button: "Iniciar sesión",
  },
  rejected: {
    title: "Tu registro en {site} no ha sido aceptado",
    text: "Gracias por tu interés. Quienes administran el servidor han decidido no aceptar tu registro. Tus datos se han eliminado.",
  },
  security: {
    "password-changed": {
      title: "Se ha cambiado tu contraseña",
      text: "Se ha cambiado la contraseña de tu cuenta. Se ha cerrado la sesión en todas las aplicaciones y en los demás navegadores.",
    },
    "email-asked": {
      title: "Se ha pedido cambiar la dirección de correo",
      text: "Alguien ha pedido cambiar la dirección de correo de tu cuenta. Cambiará cuando se abra el enlace que hemos enviado a la nueva dirección.",
    },
    "email-changed": {
      title: "Se ha cambiado tu dirección de correo",
      text: "Se ha cambiado la dirección de correo de tu cuenta. Este es el último correo a esta dirección.",
    },
    "two-factor-on": {
      title: "Se ha activado la autenticación en dos pasos",
      text: "Para iniciar sesión en tu cuenta hace falta ahora un código de tu aplicación de autenticación.",
    },
    "two-factor-off": {
      title: "Se ha desactivado la autenticación en dos pasos",
      text: "Para iniciar sesión en tu cuenta ya no hace falta un código de tu aplicación de autenticación.",
    },
    "recovery-codes": {
      title: "Nuevos códigos de recuperación",
      text: "Se han generado nuevos códigos de recuperación para tu cuenta. Los anteriores ya no funcionan.",
    },
    "passkey-added": {
      title: "Se ha añadido una clave de acceso",
      text: "Se ha añadido una clave de acceso a tu cuenta. Ya se puede usar para iniciar sesión.",
    },
    "passkey-removed": {
      title: "Se ha quitado una clave de acceso",
      text: "Se ha quitado una clave de acceso de tu cuenta.",
    },
    "account-deleted": {
      title: "Se ha eliminado tu cuenta",
      text: "Se ha eliminado tu cuenta, con su perfil y sus publicaciones. Este es el último correo a esta dirección.",
    },
  },
  notYou: {
    question: "Si no has sido tú, restablece tu contraseña de inmediato.",
    button: "Restablecer contraseña",
    after: "Después, revisa tus sesiones y aplicaciones en {address}.",
  },
  notYouGone:
    "Si no has sido tú, ponte en contacto con quienes administran este servidor. Una cuenta eliminada no se puede recuperar.",
  decisions: {
    none: {
      title: "Advertencia de la moderación",
      text: "La moderación te ha enviado una advertencia.",
    },
    disable: {
      title: "Tu cuenta ha sido congelada",
      text: "La moderación ha congelado tu cuenta. No puedes usarla; tu perfil y tus publicaciones siguen como están.",
    },
    mark_statuses_as_sensitive: {
      title: "Tus publicaciones se han marcado como sensibles",
      text: "La moderación ha ocultado tras una advertencia los archivos multimedia de algunas de tus publicaciones.",
    },
    delete_statuses: {
      title: "Se han eliminado publicaciones tuyas",
      text: "La moderación ha eliminado algunas de tus publicaciones porque incumplen las reglas de este servidor.",
    },
    sensitive: {
      title: "Tus publicaciones se marcan como sensibles desde ahora",
      text: "La moderación ha decidido que todos los archivos multimedia que publiques se oculten tras una advertencia.",
    },
    silence: {
      title: "Tu cuenta ha sido limitada",
      text: "La moderación ha limitado tu cuenta. Solo quienes ya te siguen ven tus publicaciones en sus cronologías.",
    },
    suspend: {
      title: "Tu cuenta ha sido suspendida",
      text: "La moderación ha suspendido tu cuenta. Tu perfil y tus publicaciones están ocultos y se eliminarán pasados 30 días.",
    },
  },
  decision: {
    named: "La decisión: {decision}",
    posts: "Publicaciones afectadas: {count}",
    button: "Ver la decisión",
    appeal: "Si crees que es un error, puedes apelar allí en un plazo de {days} días.",
  },
  appealFiled: { title: "@{name} apela una decisión", button: "Decidir" },
  appealAccepted: {
    title: "Tu apelación ha sido aceptada",
    text: "La moderación se ha retractado. Las publicaciones eliminadas no vuelven.",
  },
  appealRejected: {
    title: "Tu apelación ha sido rechazada",
    text: "La moderación ha vuelto a revisar la decisión y la mantiene.",
  },
  archive: {
    title: "Tu archivo está listo",
    text: "El archivo de tus publicaciones y ficheros se puede descargar durante {days} días.",
    button: "Descargar",
  },
  scheduledRefused: {
    title: "Tu publicación programada no se ha publicado",
    text: "El motivo es: {why} La publicación sigue entre tus publicaciones programadas, donde puedes elegir otra hora o borrarla.",
  },
};
