// Arrays as they travel: bytes behind a JSON header, or base64 inside JSON.

/**
 * The header of a block of bytes, and where what follows it begins.
 * @param {Uint8Array} bytes
 * @returns {{ head: any, length: number }}
 */
export function headOf(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return { length, head: JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) };
}

/**
 * What follows the header, to be taken array by array.
 * @param {Uint8Array} bytes
 * @param {number} length of the header
 */
export function bodyOf(bytes, length) {
  const block = bytes.slice(4 + length).buffer; // a copy that starts at 0: typed arrays need alignment
  let offset = 0;
  /**
   * @template T
   * @param {{ new (block: ArrayBufferLike, offset: number, count: number): T & ArrayBufferView }} Type
   * @param {number} count
   * @returns {T}
   */
  function take(Type, count) {
    const part = new Type(block, offset, count);
    offset += part.byteLength;
    return part;
  }
  return { take, align: () => { offset = Math.ceil(offset / 4) * 4; }, rest: () => new Uint8Array(block, offset) };
}

/**
 * What is decoded already stays as it is.
 * @template T
 * @param {string | T} base64
 * @param {{ new (block: ArrayBufferLike): T }} Type
 * @returns {T}
 */
export function decode(base64, Type) {
  return typeof base64 === "string" ? new Type(bytesOf(base64).buffer) : base64;
}

/** @param {string} base64 */
export function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
