// Mails about accounts in Portuguese.

import type { MailTexts } from "./shape.ts";

export const pt: MailTexts = {
  hello: "Olá, {name}!",
  confirm: {
    subject: "Confirme seu endereço de e-mail para {site}",
    title: "Confirme seu endereço de e-mail",
    text: "Obrigado por se cadastrar em {site}. Abra este link para confirmar seu endereço de e-mail.",
    button: "Confirmar endereço de e-mail",
    after: "O link expira em {days} dias. Se você não se cadastrou, pode ignorar este e-mail.",
  },
  reset: {
    subject: "Redefina sua senha de {site}",
    title: "Redefina sua senha",
    text: "Alguém pediu para redefinir a senha da sua conta em {site}. Se foi você, abra este link para escolher uma nova senha.",
    button: "Escolher uma nova senha",
    after:
      "O link funciona uma única vez e expira em {hours} horas. Se não foi você, pode ignorar este e-mail: sua senha continua a mesma.",
  },
  newAddress: {
    subject: "Confirme seu novo endereço de e-mail para {site}",
    title: "Confirme seu novo endereço de e-mail",
    text: "Abra este link para usar este endereço de e-mail na sua conta em {site}.",
    button: "Confirmar novo endereço",
    after: "O link expira em 24 horas. Se você não pediu isso, pode ignorar este e-mail.",
  },
  approved: {
    title: "Sua conta em {site} foi aprovada",
    text: "Quem administra o servidor aprovou sua conta. Você já pode entrar.",
    button: "Entrar",
  },
  rejected: {
    title: "Seu cadastro em {site} não foi aceito",
    text: "Obrigado pelo interesse. Quem administra o servidor decidiu não aceitar seu cadastro. Seus dados foram excluídos.",
  },
  security: {
    "password-changed": {
      title: "Sua senha foi alterada",
      text: "A senha da sua conta foi alterada. Todos os aplicativos e os outros navegadores foram desconectados.",
    },
    "email-asked": {
      title: "Mudança de endereço de e-mail solicitada",
      text: "Alguém pediu para mudar o endereço de e-mail da sua conta. Ele muda quando for aberto o link que enviamos ao novo endereço.",
    },
    "email-changed": {
      title: "Seu endereço de e-mail foi alterado",
      text: "O endereço de e-mail da sua conta foi alterado. Este é o último e-mail para este endereço.",
    },
    "two-factor-on": {
      title: "A autenticação de dois fatores foi ativada",
      text: "Para entrar na sua conta agora é preciso um código do seu aplicativo autenticador.",
    },
    "two-factor-off": {
      title: "A autenticação de dois fatores foi desativada",
      text: "Para entrar na sua conta não é mais preciso um código do seu aplicativo autenticador.",
    },
    "recovery-codes": {
      title: "Novos códigos de recuperação",
      text: "Novos códigos de recuperação foram gerados para sua conta. Os antigos não funcionam mais.",
    },
    "passkey-added": {
      title: "Uma chave de acesso foi adicionada",
      text: "Uma chave de acesso foi adicionada à sua conta. Agora ela pode ser usada para entrar.",
    },
    "passkey-removed": {
      title: "Uma chave de acesso foi removida",
      text: "Uma chave de acesso foi removida da sua conta.",
    },
    "account-deleted": {
      title: "Sua conta foi excluída",
      text: "Sua conta foi excluída, com o perfil e as publicações. Este é o último e-mail para este endereço.",
    },
  },
  notYou: {
    question: "Se não foi você, redefina sua senha imediatamente.",
    button: "Redefinir senha",
    after: "Depois, confira suas sessões e aplicativos em {address}.",
  },
  notYouGone:
    "Se não foi você, entre em contato com quem administra este servidor. Uma conta excluída não pode ser recuperada.",
  decisions: {
    none: {
      title: "Advertência da moderação",
      text: "A moderação enviou uma advertência a você.",
    },
    disable: {
      title: "Sua conta foi congelada",
      text: "A moderação congelou sua conta. Você não pode usá-la; seu perfil e suas publicações continuam como estão.",
    },
    mark_statuses_as_sensitive: {
      title: "Suas publicações foram marcadas como sensíveis",
      text: "A moderação ocultou atrás de um aviso as mídias de algumas das suas publicações.",
    },
    delete_statuses: {
      title: "Publicações suas foram removidas",
      text: "A moderação removeu algumas das suas publicações porque violam as regras deste servidor.",
    },
    sensitive: {
      title: "Suas publicações são marcadas como sensíveis a partir de agora",
      text: "A moderação decidiu que todas as mídias que você publica ficam ocultas atrás de um aviso.",
    },
    silence: {
      title: "Sua conta foi limitada",
      text: "A moderação limitou sua conta. Só quem já segue você vê suas publicações na linha do tempo.",
    },
    suspend: {
      title: "Sua conta foi suspensa",
      text: "A moderação suspendeu sua conta. Seu perfil e suas publicações estão ocultos e serão excluídos após 30 dias.",
    },
  },
  decision: {
    named: "A decisão: {decision}",
    posts: "Publicações afetadas: {count}",
    button: "Ver decisão",
    appeal: "Se você acha que isso está errado, pode recorrer lá em até {days} dias.",
  },
  appealFiled: { title: "@{name} recorre de uma decisão", button: "Decidir" },
  appealAccepted: {
    title: "Seu recurso foi aceito",
    text: "A moderação voltou atrás. Publicações excluídas não voltam.",
  },
  appealRejected: {
    title: "Seu recurso foi rejeitado",
    text: "A moderação analisou a decisão de novo e a mantém.",
  },
  archive: {
    title: "Seu arquivo está pronto",
    text: "O arquivo das suas publicações e mídias pode ser baixado durante {days} dias.",
    button: "Baixar",
  },
  scheduledRefused: {
    title: "Sua publicação agendada não foi publicada",
    text: "O motivo é: {why} A publicação continua entre as suas publicações agendadas, onde você pode escolher outro horário ou excluí-la.",
  },
};
