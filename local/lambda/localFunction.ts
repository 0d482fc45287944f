import { randomUUID } from 'node:crypto';
import { isKeptWarm } from '../keptWarm.ts';
import type { UsedPermission } from '../permissions/authorizeCalls.ts';
import type { FunctionDeclaration } from '../template/functions.ts';
import type { Meter } from './meter.ts';
import type { CallRules } from './protocol.ts';
import { type InvocationResult, Sandbox, STOPPED } from './sandbox.ts';

export interface LocalFunctionOptions {
  declaration: FunctionDeclaration;
  variables: Record<string, string>;
  /** The maximum number of execution environments. */
  concurrency: number;
  print: (chunk: Buffer | string) => void;
  meter: Meter | undefined;
  /** Default: nothing is refused. */
  rules?: CallRules;
  onPermission?: (used: UsedPermission) => void;
  /** Whether other functions go first when the cores are busy. Default: no. */
  yields?: boolean;
  /** Called at the end of each invocation. */
  onEnd?: () => void;
  /** After how long an unused environment is stopped. */
  idle?: IdleTimes;
}

interface IdleTimes {
  readonly lastMs: number;
  /** For an environment besides another unused one. Only a burst needs several. */
  readonly surplusMs: number;
}

const IDLE: IdleTimes = { lastMs: 60_000, surplusMs: 10_000 };
const IDLE_IF_KEPT_WARM: IdleTimes = { ...IDLE, lastMs: 10 * 60_000 };
/** Lambda's limit for the event of a synchronous invocation. */
export const EVENT_LIMIT_BYTES = 6 * 1024 * 1024;
const TOO_LARGE: InvocationResult = {
  ok: false,
  error: {
    errorType: 'RequestTooLargeException',
    errorMessage: `Request must be smaller than ${EVENT_LIMIT_BYTES} bytes for the InvokeFunction operation`,
    trace: [],
  },
};

/** A function and its execution environments. They start on demand, stay warm for a minute, and are replaced when broken. */
export class LocalFunction {
  readonly declaration: FunctionDeclaration;
  readonly concurrency: number;
  readonly #options: LocalFunctionOptions;
  readonly #idle: { readonly sandbox: Sandbox; readonly expiry: NodeJS.Timeout }[] = [];
  readonly #all = new Set<Sandbox>();
  readonly #waiting: ((sandbox: Sandbox) => void)[] = [];
  /** Invocations started so far. With `running` it shows whether anything ran between two checks. */
  begun = 0;
  running = 0;
  #stopped = false;

  constructor(options: LocalFunctionOptions) {
    const { reserved } = options.declaration;
    this.#options = options;
    this.declaration = options.declaration;
    this.concurrency = Math.max(1, Math.min(options.concurrency, reserved ?? options.concurrency));
  }

  /** Processes one JSON event as soon as an environment is free. Never throws. */
  async invoke(event: string, requestId: string = randomUUID()): Promise<InvocationResult> {
    if (this.#stopped) return STOPPED;
    if (Buffer.byteLength(event) > EVENT_LIMIT_BYTES) return TOO_LARGE;
    this.begun += 1;
    this.running += 1;
    const sandbox = await this.#acquire();
    const result = await sandbox.invoke(event, requestId);
    this.running -= 1;
    this.#release(sandbox);
    this.#options.onEnd?.();
    if (!result.ok) this.#options.print(`${JSON.stringify({ requestId, ...result.error })}\n`);
    return result;
  }

  /** Stops every environment. Running and waiting invocations fail. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { expiry } of this.#idle) clearTimeout(expiry);
    await Promise.all([...this.#all].map((sandbox) => sandbox.stop()));
  }

  /** Ends the environments that process an event, as a crash of their process does. Returns their number. */
  kill(): number {
    const idle = new Set(this.#idle.map(({ sandbox }) => sandbox));
    const running = [...this.#all].filter((sandbox) => !idle.has(sandbox));
    for (const sandbox of running) void sandbox.stop();
    return running.length;
  }

  #acquire(): Promise<Sandbox> | Sandbox {
    // Prefer the environment used last, because it is the warmest.
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      clearTimeout(idle.expiry);
      if (!idle.sandbox.isBroken) return idle.sandbox;
      this.#all.delete(idle.sandbox);
    }
    if (this.#all.size < this.concurrency) return this.#start();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #release(sandbox: Sandbox): void {
    if (sandbox.isBroken) this.#all.delete(sandbox);
    const next = this.#waiting.shift();
    if (next) next(sandbox.isBroken && !this.#stopped ? this.#start() : sandbox);
    else if (!sandbox.isBroken && !this.#stopped) this.#keepIdle(sandbox);
  }

  /** Stops the environment if nothing uses it for a while. Each one holds tens of megabytes. */
  #keepIdle(sandbox: Sandbox): void {
    const { lastMs, surplusMs } = this.#options.idle ?? (isKeptWarm() ? IDLE_IF_KEPT_WARM : IDLE);
    const expiry = setTimeout(
      () => {
        const index = this.#idle.findIndex((idle) => idle.sandbox === sandbox);
        if (index >= 0) this.#idle.splice(index, 1);
        this.#all.delete(sandbox);
        void sandbox.stop();
      },
      this.#idle.length > 0 ? surplusMs : lastMs,
    );
    this.#idle.push({ sandbox, expiry: expiry.unref() });
  }

  #start(): Sandbox {
    const { declaration, variables, print, meter, rules, onPermission = () => undefined } = this.#options;
    const { yields = false } = this.#options;
    const { file, exportName, name, arn, memoryMiB, timeoutMs, logicalId } = declaration;
    const settings = {
      file,
      exportName,
      functionName: name,
      functionArn: arn,
      memoryMiB,
      metered: meter !== undefined,
      metersKeys: meter?.metersKeys === true,
      rules: rules ?? { role: undefined, limits: undefined },
      yields,
    };
    const sandbox = new Sandbox({
      settings,
      variables,
      timeoutMs,
      print,
      report: (usage) => meter?.add(logicalId, usage),
      onPermission,
    });
    this.#all.add(sandbox);
    return sandbox;
  }
}
