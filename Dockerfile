# GDR Explorer in a container: without root rights, on a file system that can be read-only, with one
# volume, /cache, for computed priors, downloads and the checkpoints of training runs.
#
#   docker build -t gdr-explorer . && docker compose -f deploy/compose.yaml up
#
# PIP_OPTIONS is handed to pip, say to get a PyTorch without CUDA from another index.

FROM python:3.11-slim AS build
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.11-slim
ARG PIP_OPTIONS=""
COPY requirements.txt /tmp/requirements.txt
RUN pip install --no-cache-dir ${PIP_OPTIONS} -r /tmp/requirements.txt && rm /tmp/requirements.txt
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-deps /wheels/*.whl && rm -r /wheels \
    && useradd --uid 10001 --create-home --home-dir /home/explorer explorer \
    && install --directory --owner explorer /cache
USER explorer
ENV GDR_CACHE_DIR=/cache GDR_RUNS_DIR=/cache/runs HOME=/tmp PYTHONDONTWRITEBYTECODE=1 \
    GDR_HOSTS=localhost,127.0.0.1
VOLUME /cache
EXPOSE 8501
HEALTHCHECK --interval=10s --timeout=5s --start-period=40s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://localhost:8501/_stcore/health', timeout=4)"]
CMD ["gdr-explorer", "--address", "0.0.0.0", "--no-browser"]
