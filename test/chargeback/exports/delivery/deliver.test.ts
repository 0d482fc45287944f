import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { PART_BYTES } from '../../../../functions/chargeback/exports/delivery/putFile.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../schemas/durations.ts';
import { BUCKET } from './customerBucket.ts';
import { type Customer, START, startDeliveryWorld } from './deliveryWorld.ts';

let customer: Customer;
const world = await startDeliveryWorld();
afterAll(() => world.live.stop());
beforeEach(() => {
  world.faults.restart();
  world.time.now = START;
  world.failures.length = 0;
  customer = world.customer();
});

const DATA = 'ai/chargeback/data/BILLING_PERIOD=2026-10';
const METADATA = 'ai/chargeback/metadata/BILLING_PERIOD=2026-10';
const CURRENT = `${METADATA}/chargeback-Manifest.json`;

/** What a reader finds who starts at the current manifest: its version, what it replaces, and the contents of its files. */
const readCurrent = ({ bucket }: Customer) => {
  const manifest = Object(bucket.json(CURRENT));
  return {
    version: manifest.delivered?.version,
    supersedes: manifest.delivered?.supersedes?.version ?? null,
    contents: manifest.files?.map(({ key }: { key: string }) => bucket.objects.get(key)?.toString()),
  };
};

describe('a delivery', () => {
  it('puts the files, the metadata, the manifest of the version and last the current manifest, and is told', async () => {
    const destination = await customer.destination();
    const job = await customer.finished(destination, ['one', 'two']);
    await customer.run();

    expect(customer.bucket.puts).toEqual([
      `${DATA}/version=1/part-00001.csv.gz`,
      `${DATA}/version=1/part-00002.csv.gz`,
      `${METADATA}/version=1/focus-metadata.json`,
      `${METADATA}/version=1/chargeback-Manifest.json`,
      CURRENT,
    ]);
    expect(readCurrent(customer)).toEqual({ version: 1, supersedes: null, contents: ['one', 'two'] });
    expect(await customer.deliveryOf(job)).toMatchObject({ state: 'delivered', attempts: 1, version: 1 });
    expect(await customer.events()).toEqual([
      expect.objectContaining({
        type: 'export.delivered',
        job_id: job.job_id,
        version: 1,
        supersedes: null,
        location: `s3://${BUCKET}/${METADATA}/version=1/chargeback-Manifest.json`,
      }),
    ]);
    expect(await customer.isOpen()).toBe(false);
  });

  it('supersedes the one before with the next version, which its manifest and its event say', async () => {
    const destination = await customer.destination();
    const first = await customer.finished(destination, ['one', 'two']);
    await customer.run();
    world.time.now += MINUTE_MS;
    await customer.finished(destination, ['three']);
    await customer.run();

    expect(readCurrent(customer)).toEqual({ version: 2, supersedes: 1, contents: ['three'] });
    expect((await customer.events()).at(-1)).toMatchObject({
      version: 2,
      supersedes: { version: 1, export_id: first.job_id },
    });
    // A reader of the first version still finds all of it.
    expect(customer.bucket.objects.get(`${DATA}/version=1/part-00002.csv.gz`)?.toString()).toBe('two');
  });

  it('puts nothing of an export that is older than a delivered one', async () => {
    const destination = await customer.destination();
    const older = await customer.finished(destination, ['old'], { asOf: START - HOUR_MS });
    const newer = await customer.finished(destination, ['new']);
    await customer.deliver(newer);
    await customer.run();

    expect(await customer.deliveryOf(older)).toMatchObject({ state: 'superseded', version: null });
    expect(readCurrent(customer)).toMatchObject({ version: 1, contents: ['new'] });
  });

  it('counts on when a destination is deleted and created again', async () => {
    const before = await customer.destination();
    await customer.finished(before, ['one']);
    await customer.run();
    await customer.remove(before);
    await customer.finished(await customer.destination(), ['two'], { asOf: START + 1 });
    await customer.run();

    expect(readCurrent(customer)).toMatchObject({ version: 2, contents: ['two'] });
  });

  it('puts a large file in parts of a bounded size, which appear as a whole', async () => {
    const content = Buffer.alloc(2 * PART_BYTES + 1, 'x');
    await customer.finished(await customer.destination(), [content]);
    await customer.run();

    expect(customer.bucket.objects.get(`${DATA}/version=1/part-00001.csv.gz`)?.equals(content)).toBe(true);
    expect(customer.bucket.uploads.size).toBe(0);
  });

  it('puts no file that differs from the manifest of its export, and leaves no parts behind', async () => {
    const job = await customer.finished(await customer.destination(), [
      Buffer.alloc(PART_BYTES + 1, 'x'),
      'two',
    ]);
    for (const [key, body] of world.source) {
      if (key.includes(job.job_id) && key.endsWith('.gz'))
        world.source.set(key, Buffer.alloc(body.length, 'y'));
    }
    // The run fails, which raises an alarm: the customer cannot remove the cause.
    await expect(customer.run()).rejects.toThrow();

    expect(customer.bucket.objects.size + customer.bucket.uploads.size).toBe(0);
    expect(await customer.deliveryOf(job)).toMatchObject({ state: 'pending', last_error: 'unavailable' });
    expect(world.failures).toEqual([job.job_id]);
  });

  it('delivers all files over attempts that each have time for one', async () => {
    const job = await customer.finished(await customer.destination(), ['one', 'two', 'three']);
    customer.bucket.state.instead = () => {
      world.time.now += 5 * MINUTE_MS;
      return null;
    };
    for (let runs = 0; runs < 4; runs += 1) await customer.run();

    expect(await customer.deliveryOf(job)).toMatchObject({ state: 'delivered', version: 1 });
    expect(customer.bucket.puts.filter((key) => key.startsWith(DATA))).toHaveLength(3);
  });

  it('delivers the exports beside one whose row cannot be read, which is logged', async () => {
    const destination = await customer.destination();
    const broken = await customer.finished(destination, ['one'], { name: 'broken' });
    const job = await customer.finished(destination, ['two']);
    await world.breakRow(broken);
    await expect(customer.run()).rejects.toThrow();

    expect(await customer.deliveryOf(job)).toMatchObject({ state: 'delivered' });
    expect(world.failures).toEqual([broken.job_id]);
  });
});

describe('a delivery that is requested again', () => {
  it('puts all files again with the version and bytes that they have, and is told again', async () => {
    const destination = await customer.destination();
    const job = await customer.finished(destination, ['one', 'two']);
    await customer.run();
    const before = new Map(customer.bucket.objects);
    customer.bucket.objects.clear();
    world.time.now += DAY_MS;
    expect(await customer.again(job, destination)).toBeNull();
    await customer.run();

    expect(customer.bucket.objects).toEqual(before);
    expect(await customer.deliveryOf(job)).toMatchObject({ state: 'delivered', attempts: 1, version: 1 });
    expect(await customer.events()).toHaveLength(2);
  });

  it('puts nothing of an export that a later one has replaced', async () => {
    const destination = await customer.destination();
    const older = await customer.finished(destination, ['old']);
    await customer.run();
    world.time.now += MINUTE_MS;
    await customer.finished(destination, ['new']);
    await customer.run();
    await customer.again(older, destination);
    await customer.run();

    expect(await customer.deliveryOf(older)).toMatchObject({ state: 'superseded' });
    expect(readCurrent(customer)).toMatchObject({ version: 2, contents: ['new'] });
  });

  it('goes to another destination when the first was deleted', async () => {
    const first = await customer.destination();
    const job = await customer.finished(first, ['one']);
    await customer.remove(first);
    await customer.run();
    expect(await customer.deliveryOf(job)).toMatchObject({ state: 'failed' });
    await customer.again(job, await customer.destination({ location: `s3://${BUCKET}/other` }));
    await customer.run();

    expect(await customer.deliveryOf(job)).toMatchObject({ state: 'delivered', version: 1 });
    expect(customer.bucket.puts[0]).toBe(
      'other/chargeback/data/BILLING_PERIOD=2026-10/version=1/part-00001.csv.gz',
    );
  });

  it('is tried for five days from then on, and refused while it is open or the files would expire', async () => {
    const destination = await customer.destination();
    const job = await customer.finished(destination, ['one']);
    expect(await customer.again(job, destination)).toContain('is being delivered');
    await customer.run();
    world.time.now = START + 20 * DAY_MS;
    await customer.again(job, destination);
    customer.bucket.distrust();
    await customer.run();
    expect(await customer.deliveryOf(job)).toMatchObject({ state: 'pending', last_error: 'role_refused' });
    world.time.now += 5 * DAY_MS;
    await customer.run();

    expect(await customer.deliveryOf(job)).toMatchObject({ state: 'failed' });
    world.time.now += 1;
    expect(await customer.again(job, destination)).toContain('expire');
  });
});

describe('a delivery that fails', () => {
  it.each([
    ['role_refused', (one: Customer) => one.bucket.distrust()],
    ['access_denied', (one: Customer) => (one.bucket.state.owner = '999999999999')],
    [
      'rate_limited',
      (one: Customer) => (one.bucket.state.instead = () => one.bucket.refusal(503, 'SlowDown')),
    ],
    [
      'unavailable',
      (one: Customer) => (one.bucket.state.instead = () => one.bucket.refusal(500, 'InternalError')),
    ],
    // The end of an upload fails with the status 200.
    [
      'unavailable',
      (one: Customer) => (one.bucket.state.instead = () => one.bucket.refusal(200, 'InternalError')),
    ],
    [
      'refused',
      (one: Customer) => (one.bucket.state.instead = () => one.bucket.refusal(400, 'InvalidRequest')),
    ],
  ])('says %s, and goes on with the same version when it is over', async (error, cause) => {
    const job = await customer.finished(await customer.destination(), ['one']);
    cause(customer);
    await customer.run();
    const failing = await customer.deliveryOf(job);
    customer.bucket.state.instead = null;
    customer.bucket.state.owner = '111122223333';
    customer.bucket.trust(String(failing?.destination_id));
    world.time.now += MINUTE_MS;
    await customer.run();

    expect(failing).toMatchObject({ state: 'pending', attempts: 1, last_error: error, version: 1 });
    expect(await customer.deliveryOf(job)).toMatchObject({
      state: 'delivered',
      attempts: 2,
      last_error: null,
    });
    expect(readCurrent(customer)).toMatchObject({ version: 1, contents: ['one'] });
  });

  it.each([
    ['no_such_bucket', { location: 's3://example-missing/ai' }],
    ['wrong_region', { region: 'us-east-1' }],
    ['access_denied', { role_arn: 'arn:aws:iam::999999999999:role/attribution-exports-other' }],
  ])('says %s of a destination with %o', async (error, members) => {
    const job = await customer.finished(await customer.destination(members), ['one']);
    await customer.run();

    expect(await customer.deliveryOf(job)).toMatchObject({ last_error: error });
  });

  it('waits longer after each failure, as long as the bucket asks, and an hour at most', async () => {
    const job = await customer.finished(await customer.destination(), ['one']);
    const waits: number[] = [];
    for (const header of ['0', '0', '1800', '0', '0', '0', '0', '0', '0']) {
      customer.bucket.state.instead = () =>
        customer.bucket.refusal(503, 'SlowDown', { 'retry-after': header });
      await customer.run();
      const at = Date.parse((await customer.deliveryOf(job))?.next_attempt_at ?? '');
      waits.push((at - world.time.now) / MINUTE_MS);
      world.time.now = at;
    }

    expect(waits).toEqual([1, 2, 30, 8, 16, 32, 60, 60, 60]);
  });

  it('is told at once if only the customer can help, otherwise at the fifth attempt, and again at the end', async () => {
    const told = async (error: 'SlowDown' | 'AccessDenied') => {
      customer = world.customer();
      world.time.now = START;
      const job = await customer.finished(await customer.destination(), ['one']);
      customer.bucket.state.instead = () => customer.bucket.refusal(error === 'SlowDown' ? 503 : 403, error);
      for (const at of [0, 1, 2, 3, 4, 5, 5 * 24]) {
        world.time.now = START + at * HOUR_MS;
        await customer.run();
      }
      return [(await customer.deliveryOf(job))?.state, ...(await customer.events())];
    };
    const event = (error: string, attempts: number, next: unknown) =>
      expect.objectContaining({ type: 'export.delivery.failed', error, attempts, next_attempt_at: next });

    const text = expect.any(String);
    expect(await told('AccessDenied')).toEqual([
      'failed',
      event('access_denied', 1, text),
      event('access_denied', 6, null),
    ]);
    expect(await told('SlowDown')).toEqual([
      'failed',
      event('rate_limited', 5, text),
      event('rate_limited', 6, null),
    ]);
    expect(await customer.isOpen()).toBe(false);
  });

  it('ends when its destination is deleted, and is told', async () => {
    const destination = await customer.destination();
    const job = await customer.finished(destination, ['one']);
    await customer.remove(destination);
    await customer.run();

    expect(await customer.deliveryOf(job)).toMatchObject({
      state: 'failed',
      last_error: 'destination_deleted',
    });
    expect(await customer.events()).toMatchObject([
      { type: 'export.delivery.failed', next_attempt_at: null },
    ]);
    expect(await customer.isOpen()).toBe(false);
  });

  it('cannot use the role of another tenant, whose trust policy names another external id', async () => {
    const other = await customer.destination();
    const attacker = world.customer();
    const job = await attacker.finished(await attacker.destination(), ['one']);
    attacker.bucket.trust(other.id);
    await attacker.run();

    expect(await attacker.deliveryOf(job)).toMatchObject({ last_error: 'role_refused' });
    expect(attacker.bucket.puts).toEqual([]);
  });
});

describe('an interrupted delivery', () => {
  /** Ends like one without a fault: whole versions only, the newest one current, told once. */
  const expectDelivered = async (): Promise<void> => {
    for (let runs = 0; runs < 3; runs += 1) {
      world.time.now += 12 * MINUTE_MS;
      await customer.run();
    }
    expect(readCurrent(customer)).toEqual({ version: 2, supersedes: 1, contents: ['new', 'newer'] });
    expect((await customer.events()).map(({ type }) => type)).toEqual([
      'export.delivered',
      'export.delivered',
    ]);
    expect(await customer.isOpen()).toBe(false);
    expect(customer.bucket.uploads.size).toBe(0);
  };
  const deliverTwo = async (): Promise<void> => {
    world.time.now = START;
    const destination = await customer.destination();
    await customer.finished(destination, ['one']);
    await customer.run();
    await customer.finished(destination, ['new', 'newer'], { asOf: START + 1 });
  };

  it.each(['before', 'after'] as const)(
    'recovers from a request that is lost %s its effect, at any request',
    async (moment) => {
      for (let request = 0; request < 5; request += 1) {
        customer = world.customer();
        await deliverTwo();
        customer.bucket.arm({ request, moment });
        await customer.run();
        customer.bucket.arm(undefined);
        await expectDelivered();
      }
    },
  );

  it.each([
    ['dies', 'before'],
    ['dies', 'after'],
    ['repeats', 'after'],
  ] as const)('recovers when the worker %s %s any of its writes', async (kind, moment) => {
    let write = 0;
    do {
      customer = world.customer();
      await deliverTwo();
      void world.faults.arm({ write, moment, kind });
      await customer.run().catch(() => undefined);
      const isBroken = Object(customer.bucket.json(CURRENT)).files.some(
        ({ key }: { key: string }) => !customer.bucket.objects.has(key),
      );
      expect(isBroken).toBe(false);
      write += 1;
      world.faults.restart();
      await expectDelivered();
      // The next write is one that a run without a fault makes.
    } while (write < 5);
  });
});
