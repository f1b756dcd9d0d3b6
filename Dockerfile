# The gateway and its command line. Build: docker build -t gantry .
#   docker run --rm -v "$PWD:/work" gantry check plc
#   docker run -p 9000:9000 -v gantry-data:/data -e GANTRY_API_KEY=… gantry serve --host 0.0.0.0
FROM node:20-slim AS build
WORKDIR /gantry
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:20-slim
# Version control of projects, and versions in comparisons.
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*
WORKDIR /gantry
COPY --from=build /gantry/package.json /gantry/LICENSE ./
COPY --from=build /gantry/node_modules ./node_modules
COPY --from=build /gantry/dist ./dist
COPY --from=build /gantry/core/cli/gantry.mjs ./core/cli/gantry.mjs
RUN ln -s /gantry/core/cli/gantry.mjs /usr/local/bin/gantry \
 && mkdir /data /work && chown node:node /data /work
USER node
WORKDIR /work
ENV GANTRY_DATA_DIR=/data NODE_ENV=production
VOLUME /data
EXPOSE 9000
# Only a container that serves has an address to ask.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD node -e "fetch('http://127.0.0.1:9000/api/health/ping').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
ENTRYPOINT ["gantry"]
CMD ["--help"]
