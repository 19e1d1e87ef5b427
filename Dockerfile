# Rookery with its PostgreSQL inside; the data is in the volume /data.
#   docker build -t rookery .
#   docker run -d --name rookery --restart unless-stopped --stop-timeout 45 \
#     -p 127.0.0.1:3000:3000 -v rookery:/data -e LOCAL_DOMAIN=social.example -e TRUSTED_PROXY_IP=172.16.0.0/12 rookery
# for a proxy with TLS on the same machine, which it sees by the network of the containers. deploy/compose-small.yaml has both.

# The client is the same for every processor: it is built by the one that builds.
FROM --platform=$BUILDPLATFORM node:26-bookworm-slim AS web
WORKDIR /rookery
# The options of both folders for TypeScript are what the build reads, too.
COPY package.json package-lock.json tsconfig.json ./
COPY web web
COPY texts texts
COPY src src
RUN npm ci --ignore-scripts --workspace web && node web/build.ts

FROM node:26-bookworm-slim AS modules
WORKDIR /rookery
COPY package.json package-lock.json ./
# Node is in the image already, and the web client is built.
RUN npm ci --omit=dev --ignore-scripts --workspaces=false \
 && rm -rf node_modules/node-linux-* node_modules/.bin/node
COPY bin bin
RUN node bin/install/prune.ts

FROM node:26-bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates ffmpeg tini util-linux \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /rookery
COPY --from=modules /rookery/node_modules node_modules
COPY package.json LICENSE ./
COPY assets assets
COPY migrations migrations
COPY bin bin
COPY packages packages
COPY src src
COPY texts texts
COPY --from=web /rookery/web/dist web/dist
# Links that npm packages cannot have, made while the folder can be written.
RUN node --input-type=module --eval "const { linkBinaries } = await import('/rookery/packages/embedded-postgres/src/index.ts'); linkBinaries()" \
 && mkdir /data node_modules/.cache && chown node:node /data node_modules/.cache
USER node
# As the user that starts it: compiled code is of one user.
RUN node bin/after-install.ts
ENV NODE_ENV=production DATA_DIR=/data BIND=0.0.0.0 PORT=3000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["tini", "--", "/rookery/bin/rookery"]
CMD ["start"]
