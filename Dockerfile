# graphstrata serve, for the project that is mounted at /project:
#   docker build -t graphstrata .
#   docker run -p 8741:8741 -e GRAPHSTRATA_TOKEN -v /path/to/project:/project graphstrata
# The same image runs every other command: docker run -v ...:/project graphstrata index
FROM python:3.12-slim

COPY pyproject.toml requirements.lock README.md LICENSE /opt/graphstrata/
COPY graphstrata /opt/graphstrata/graphstrata
COPY pipeline /opt/graphstrata/pipeline
COPY workflows /opt/graphstrata/workflows
RUN pip install --no-cache-dir --constraint /opt/graphstrata/requirements.lock "/opt/graphstrata[mcp,office]"

# Give --user "$(id -u):$(id -g)" to docker run where the project belongs to somebody else and is to be written to.
RUN useradd --create-home --uid 1000 reader && install -d -o reader /project
USER reader
WORKDIR /project
ENV HOME=/home/reader

# Requests need the token of GRAPHSTRATA_TOKEN. Without it one is made, and printed at the start.
EXPOSE 8741
ENTRYPOINT ["graphstrata"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8741"]
