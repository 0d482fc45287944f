import type { ItemBudget } from '../../../platform/shared/itemBudget.ts';
import { MalformedExportError } from '../../spans/telemetry.ts';

/** Wire types of protobuf (https://protobuf.dev/programming-guides/encoding). Groups are long deprecated. */
export const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Most bytes of a 64-bit varint. */
const VARINT_BYTES = 10;

const truncated = () => new MalformedExportError('The protobuf message ends too early.');

/** A 64-bit varint in three parts, because numbers are exact up to 2^53 only and a bigint for each field costs much time. */
const LOW_BYTES = 4;
const MIDDLE_BYTES = 8;
const PART = 2 ** 28;

/**
 * Reads the fields of one protobuf message. `next` advances to the next field; then exactly one of the value methods or
 * `skip` must be called. Each field spends an item of `budget`, also in nested messages. Throws a MalformedExportError at
 * the first fault, and PAYLOAD_TOO_LARGE when the budget is spent.
 */
export class WireReader {
  readonly #bytes: Buffer;
  readonly #budget: ItemBudget;
  readonly #end: number;
  #at: number;
  /** Number of the current field. */
  field = 0;
  /** Wire type of the current field. */
  type = 0;

  constructor(bytes: Buffer, budget: ItemBudget, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#budget = budget;
    this.#at = start;
    this.#end = end;
  }

  /** False at the end of the message. */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    this.#budget.spend();
    const tag = this.#smallVarint();
    this.field = tag >>> 3;
    this.type = tag & 7;
    if (this.field === 0) throw new MalformedExportError('A protobuf field has the number 0.');
    return true;
  }

  /** A nested message or text, as a range of the same bytes. */
  #range(): readonly [number, number] {
    this.#expect(WIRE.bytes);
    const length = this.#smallVarint();
    const start = this.#at;
    if (length > this.#end - start) throw truncated();
    this.#at = start + length;
    return [start, this.#at];
  }

  message(): WireReader {
    const [start, end] = this.#range();
    return new WireReader(this.#bytes, this.#budget, start, end);
  }

  text(): string {
    const [start, end] = this.#range();
    return this.#bytes.toString('utf8', start, end);
  }

  hex(): string {
    const [start, end] = this.#range();
    return this.#bytes.toString('hex', start, end);
  }

  fixed64(): bigint {
    this.#expect(WIRE.fixed64);
    return this.#bytes.readBigUInt64LE(this.#advance(8));
  }

  double(): number {
    this.#expect(WIRE.fixed64);
    return this.#bytes.readDoubleLE(this.#advance(8));
  }

  /** A varint as a signed 64-bit integer; exact up to 2^53, as token counts are. */
  int64(): number {
    this.#expect(WIRE.varint);
    const [low, middle, high] = this.#varint();
    // The sign is bit 7 of the last part, which holds bits 56 to 63.
    if (high < 0x80) return low + middle * PART + high * PART * PART;
    return -(PART - 1 - low + (PART - 1 - middle) * PART + (0xff - high) * PART * PART + 1);
  }

  bool(): boolean {
    this.#expect(WIRE.varint);
    return this.#varint().some((part) => part !== 0);
  }

  skip(): void {
    if (this.type === WIRE.varint) this.#varint();
    else if (this.type === WIRE.fixed64) this.#advance(8);
    else if (this.type === WIRE.bytes) this.#range();
    else if (this.type === WIRE.fixed32) this.#advance(4);
    else throw new MalformedExportError(`The protobuf wire type ${this.type} is not supported.`);
  }

  #expect(type: number): void {
    if (this.type !== type) throw new MalformedExportError(`Field ${this.field} has an unexpected type.`);
  }

  #advance(length: number): number {
    const start = this.#at;
    if (length > this.#end - start) throw truncated();
    this.#at += length;
    return start;
  }

  /** Tags and lengths: at most 32 bits, without the cost of a bigint. */
  #smallVarint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[this.#advance(1)] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        if (value > 0xffff_ffff) break;
        return value;
      }
    }
    throw new MalformedExportError('A protobuf tag or length is too large.');
  }

  /** Bits 0 to 27, 28 to 55, and 56 to 63. */
  #varint(): readonly [low: number, middle: number, high: number] {
    let [low, middle, high] = [0, 0, 0];
    for (let index = 0; index < VARINT_BYTES; index += 1) {
      const byte = this.#bytes[this.#advance(1)] ?? 0;
      const bits = byte & 0x7f;
      if (index < LOW_BYTES) low += bits * 2 ** (7 * index);
      else if (index < MIDDLE_BYTES) middle += bits * 2 ** (7 * (index - LOW_BYTES));
      else high |= (bits << (7 * (index - MIDDLE_BYTES))) & 0xff;
      if (byte < 0x80) return [low, middle, high];
    }
    throw new MalformedExportError('A protobuf integer is too long.');
  }
}
