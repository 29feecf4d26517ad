# syntax=docker/dockerfile:1
# The image of all programs of the service (docs/deployment.md): `node dist/server.js` is the API, `node dist/worker.js` a worker,
# `node dist/admin.js …` the command line.

ARG NODE=24.21.0

FROM node:${NODE}-bookworm-slim AS bundle
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY bundle.mjs ./
COPY workers workers
COPY src src
RUN node bundle.mjs

FROM node:${NODE}-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Without tools for development and without what is built for one machine: the embedded Postgres, and a Node beside that of the image.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  # Nor what the bundle has, and what only tests and editors read: the in-memory Postgres, and types.
  && rm -rf node_modules/@electric-sql node_modules/effect node_modules/@effect \
  && find node_modules -type f \( -name "*.map" -o -name "*.d.ts" -o -name "*.d.cts" -o -name "*.d.mts" \) -delete

FROM node:${NODE}-bookworm-slim
ENV NODE_ENV=production NODE_COMPILE_CACHE=/app/.compile-cache MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json openapi.json LICENSE README.md ./
# What /llms.txt leads agents to.
COPY docs/*.md docs/
COPY docs/behaviour docs/behaviour
COPY sql sql
# With the files beside sources that programs read.
COPY src src
COPY --from=bundle /app/dist dist
COPY deploy/docker deploy/docker
# Compiles everything once, which halves the time of each start: without settings, the programs load and end. The cache belongs to the
# user who will read it.
RUN mkdir .compile-cache /files && chown node:node .compile-cache /files
USER node
RUN node dist/admin.js --help > /dev/null; node dist/server.js; node dist/worker.js; test -n "$(ls .compile-cache)"

ENV HOST=0.0.0.0 PORT=3000
EXPOSE 3000
# Node is the first process and gets the signals: the script ends with `exec`.
ENTRYPOINT ["/app/deploy/docker/entrypoint.sh"]
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=70", "dist/server.js"]
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 CMD ["node", "deploy/docker/health.mjs"]
