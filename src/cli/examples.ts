// Examples of commands for their help: the text after `rookery`. Text after a # is a remark. Those of groups are in
// packages/administration.

export type Examples = Readonly<Record<string, readonly string[]>>;

export const EXAMPLES: Examples = {
  start: ["start", "start --roles web,streaming"],
  setup: [
    "setup",
    "setup --yes --domain social.example --smtp-server mail.example --backup-to /mnt/usb/rookery",
    "setup --yes --domain social.example --owner alice --owner-email alice@example.com",
  ],
  migrate: ["migrate"],
  plan: [
    "plan --daily-users 100000",
    "plan --daily-users 5000 --followers 300 --remote 80 --figures bench.json",
  ],
  upgrade: [
    "upgrade --check   # with the new version, while the old one runs",
    "upgrade --check --json",
    "upgrade rookery-0.2.0-linux-x64.tar.xz --backup-to /mnt/usb/rookery/",
  ],
  backup: [
    "backup /mnt/usb/today.backup",
    "backup /mnt/usb/rookery/   # many backups, which share their media",
    "backup s3://my-backups/rookery/ --passphrase-file /root/passphrase",
  ],
  restore: [
    "restore /mnt/usb/today.backup",
    "restore s3://my-backups/rookery/ --check",
    "restore /mnt/usb/rookery/ --check --deep   # a drill: whether it can be restored",
  ],
  export: [
    "export /mnt/usb/everything",
    "export /mnt/usb/everything.tar --with-secrets   # so that another server can take over",
  ],
  doctor: ["doctor", "doctor --json"],
  config: ["config"],
  maintenance: ["maintenance --dry-run", "maintenance"],
  "self-destruct": ["self-destruct --dry-run", "self-destruct --confirm social.example"],

  "import mastodon": [
    "import mastodon --database postgres://localhost/mastodon_production --media /home/mastodon/live/public/system --env /home/mastodon/live/.env.production --dry-run",
    "import mastodon --database postgres://localhost/mastodon --media s3://files/social --env old.env",
  ],
  "move-domain": [
    "move-domain new.example --dry-run",
    "move-domain new.example --web-domain social.new.example",
    "move-domain --forget old.example",
  ],
  "nodeinfo validate": ["nodeinfo validate https://elsewhere.example/nodeinfo/2.0"],
};
