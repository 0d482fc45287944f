const varint = (value: number): number[] => {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return [...bytes, rest];
};

/** A protobuf field with a non-negative integer (wire type 0). */
export const encodeVarint = (field: number, value: number): Buffer =>
  Buffer.from([...varint(field * 8), ...varint(value)]);

/** A protobuf field with bytes (wire type 2): a message, or text. */
export const encodeBytes = (field: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(bytes.length)]), bytes]);

export const encodeText = (field: number, text: string): Buffer => encodeBytes(field, Buffer.from(text));
