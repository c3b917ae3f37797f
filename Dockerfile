# docker build --build-arg VERSION=1.2.3 -t reseller-bot .
# docker run --env-file bot.env -v bot-data:/data --read-only --cap-drop ALL --stop-timeout 15 reseller-bot
#
# --env-file takes quotes literally: unlike .env, it wants NAME=value without them. deploy/compose.yaml has the
# same as a file.
#
# The builder may be pinned: --build-arg GOLANG=docker.io/library/golang@sha256:…
ARG GOLANG=docker.io/library/golang:1.26
FROM ${GOLANG} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /out/bot ./cmd/bot \
 && mkdir /out/data

# One static binary and nothing that could run beside it: no shell, no package manager, no other user.
FROM scratch
ARG VERSION=dev
LABEL org.opencontainers.image.title="reseller-bot" \
      org.opencontainers.image.description="A Telegram bot for resellers of digital goods" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}"
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/bot /bot
# A new volume takes its owner from this folder. Everything that is written is written there: the rest may be
# mounted read-only.
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
VOLUME /data
ENV DATABASE_PATH=/data/bot.db
# The binary asks itself: there is no shell and no curl here.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/bot", "healthcheck"]
# The bot stops within 10 s, which is all that `docker stop` waits by default: give it 15.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/bot"]
