// Mails about accounts in English.

import type { MailTexts } from "./shape.ts";

export const en: MailTexts = {
  hello: "Hello {name},",
  confirm: {
    subject: "Confirm your email address for {site}",
    title: "Confirm your email address",
    text: "Thanks for signing up on {site}. Open this link to confirm your email address.",
    button: "Confirm email address",
    after: "The link expires in {days} days. If you didn't sign up, you can ignore this email.",
  },
  reset: {
    subject: "Reset your password for {site}",
    title: "Reset your password",
    text: "Someone asked to reset the password of your account on {site}. If it was you, open this link to choose a new password.",
    button: "Choose a new password",
    after:
      "The link works once and expires in {hours} hours. If it wasn't you, you can ignore this email: your password stays the same.",
  },
  newAddress: {
    subject: "Confirm your new email address for {site}",
    title: "Confirm your new email address",
    text: "Open this link to use this email address for your account on {site}.",
    button: "Confirm new email address",
    after: "The link expires in 24 hours. If you didn't request this, you can ignore this email.",
  },
  approved: {
    title: "Your account on {site} has been approved",
    text: "The people who run the server have approved your account. You can sign in now.",
    button: "Sign in",
  },
  rejected: {
    title: "Your sign-up on {site} was not accepted",
    text: "Thank you for your interest. The people who run the server have decided not to accept your sign-up. Your data has been deleted.",
  },
  security: {
    "password-changed": {
      title: "Your password was changed",
      text: "The password of your account was changed. All apps and other browsers have been signed out.",
    },
    "email-asked": {
      title: "Email address change requested",
      text: "Someone asked to change the email address of your account. It changes once the link that we sent to the new address is opened.",
    },
    "email-changed": {
      title: "Your email address was changed",
      text: "The email address of your account was changed. This is the last email to this address.",
    },
    "two-factor-on": {
      title: "Two-factor authentication was turned on",
      text: "Signing in to your account now requires a code from your authenticator app.",
    },
    "two-factor-off": {
      title: "Two-factor authentication was turned off",
      text: "Signing in to your account no longer requires a code from your authenticator app.",
    },
    "recovery-codes": {
      title: "New recovery codes",
      text: "New recovery codes were generated for your account. The old ones no longer work.",
    },
    "passkey-added": {
      title: "A passkey was added",
      text: "A passkey was added to your account. It can now be used to sign in.",
    },
    "passkey-removed": {
      title: "A passkey was removed",
      text: "A passkey was removed from your account.",
    },
    "account-deleted": {
      title: "Your account was deleted",
      text: "Your account was deleted, and its profile and posts with it. This is the last email to this address.",
    },
  },
  notYou: {
    question: "If it wasn't you, reset your password right away.",
    button: "Reset your password",
    after: "Then review your sessions and apps at {address}.",
  },
  notYouGone:
    "If it wasn't you, contact the people who run this server. A deleted account cannot be restored.",
  decisions: {
    none: {
      title: "Warning from the moderators",
      text: "The moderators have sent you a warning.",
    },
    disable: {
      title: "Your account has been frozen",
      text: "The moderators have frozen your account. You cannot use it; your profile and posts stay as they are.",
    },
    mark_statuses_as_sensitive: {
      title: "Your posts have been marked as sensitive",
      text: "The moderators have hidden the media of some of your posts behind a warning.",
    },
    delete_statuses: {
      title: "Your posts have been removed",
      text: "The moderators have removed some of your posts, because they break the rules of this server.",
    },
    sensitive: {
      title: "Your posts are marked as sensitive from now on",
      text: "The moderators have decided that all media you post are hidden behind a warning.",
    },
    silence: {
      title: "Your account has been limited",
      text: "The moderators have limited your account. Only people who already follow you see your posts in their timelines.",
    },
    suspend: {
      title: "Your account has been suspended",
      text: "The moderators have suspended your account. Your profile and posts are hidden, and will be deleted after 30 days.",
    },
  },
  decision: {
    named: "The decision: {decision}",
    posts: "Posts concerned: {count}",
    button: "View decision",
    appeal: "If you think that this is wrong, you can appeal there within {days} days.",
  },
  appealFiled: { title: "@{name} appeals a decision", button: "Decide" },
  appealAccepted: {
    title: "Your appeal was accepted",
    text: "The moderators have taken it back. Posts that were deleted do not come back.",
  },
  appealRejected: {
    title: "Your appeal was rejected",
    text: "The moderators have looked at it again, and it stays as it is.",
  },
  archive: {
    title: "Your archive is ready",
    text: "The archive of your posts and files can be downloaded for {days} days.",
    button: "Download",
  },
  scheduledRefused: {
    title: "Your scheduled post was not published",
    text: "The reason is: {why} The post stays among your scheduled posts, where you can choose another time or delete it.",
  },
};
