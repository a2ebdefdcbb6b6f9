import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const JAR = resolve(process.env.DURABLE_STATE_JAR ?? "../target/durable-state.jar");
const PATIENCE_MILLIS = 90_000;

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

/** The service as a process of its own, on data of its own. */
export class Service {
  private process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly directory: string,
    private readonly settings: string[],
  ) {}

  static async start(settings: string[] = []): Promise<Service> {
    const service = new Service(await freePort(), mkdtempSync(join(tmpdir(), "console-")), settings);
    service.launch();
    await service.awaitReady();
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the process; does not wait until it answers. */
  launch() {
    const log = openSync(join(this.directory, "service.log"), "a");
    this.process = spawn(
      "java",
      ["-Xmx512m", "-XX:TieredStopAtLevel=1", "-jar", JAR, `--server.port=${this.port}`, ...this.settings],
      { cwd: this.directory, stdio: ["ignore", log, log] },
    );
  }

  async awaitReady() {
    const end = Date.now() + PATIENCE_MILLIS;
    while (Date.now() < end) {
      if (this.process?.exitCode !== null) {
        break;
      }
      const answer = await fetch(`${this.url}/actuator/health/readiness`).catch(() => null);
      if (answer?.ok) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`The service did not become ready:\n${readFileSync(join(this.directory, "service.log"), "utf8")}`);
  }

  /** Ends it at once. */
  async kill() {
    const ended = new Promise((resolve) => this.process?.once("exit", resolve));
    this.process?.kill("SIGKILL");
    await ended;
  }

  async close() {
    if (this.process?.exitCode === null && this.process.signalCode === null) {
      await this.kill();
    }
    rmSync(this.directory, { recursive: true, force: true });
  }

  async put(state: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}/api/v1/states/${state}`, {
      method: "PUT",
      headers: { "Content-Type": "application/json", ...headers },
      body,
    });
  }

  /** Stores states of one action with keys from a number on, a thousand at a time. */
  async fill(prefix: string, count: number) {
    for (let from = 0; from < count; from += 1000) {
      const writes = Array.from({ length: Math.min(1000, count - from) }, (_, i) => ({
        key: `${prefix}${String(from + i).padStart(6, "0")}`,
        sequence: 1,
        action: "step",
        state: { number: from + i },
      }));
      const answer = await this.post("/api/v1/batch", { writes });
      if (answer.status !== 200) {
        throw new Error(`${answer.status} ${await answer.text()}`);
      }
    }
  }

  /** Claims a key for a worker; answers the number of the attempt. */
  async claim(key: string, worker: string): Promise<number> {
    const answer = await this.post(`/api/v1/attempts/${key}`, { worker });
    return (await answer.json()).attempt;
  }

  async post(path: string, body: unknown): Promise<Response> {
    return this.json("POST", path, body);
  }

  /** Has the next writes behave badly. */
  async arm(faults: unknown): Promise<Response> {
    return this.json("PUT", "/api/v1/faults", faults);
  }

  private async json(method: string, path: string, body: unknown): Promise<Response> {
    return fetch(this.url + path, {
      method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  }
}
