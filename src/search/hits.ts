/** The documents in which a term occurs, and how often. The columns are reused between calls. */
export class Hits {
  documents = new Uint32Array(1_024)
  frequencies = new Uint32Array(1_024)
  length = 0

  clear(): void {
    this.length = 0
  }

  /** Makes room for this many more entries. */
  reserve(more: number): void {
    const needed = this.length + more
    if (needed <= this.documents.length) return
    const size = Math.max(needed, this.documents.length * 2)
    const documents = new Uint32Array(size)
    const frequencies = new Uint32Array(size)
    documents.set(this.documents.subarray(0, this.length))
    frequencies.set(this.frequencies.subarray(0, this.length))
    this.documents = documents
    this.frequencies = frequencies
  }

  /**
   * Merges the entries of each document into one and sums their frequencies. `scratch` must hold a zero for every
   * document, and holds zeros again afterwards.
   */
  combine(scratch: Uint32Array): void {
    let kept = 0
    for (let at = 0; at < this.length; at++) {
      const document = this.documents[at] as number
      const place = scratch[document] as number
      if (place === 0) {
        this.documents[kept] = document
        this.frequencies[kept] = this.frequencies[at] as number
        scratch[document] = ++kept
      } else {
        this.frequencies[place - 1] =
          (this.frequencies[place - 1] as number) + (this.frequencies[at] as number)
      }
    }
    for (let at = 0; at < kept; at++) scratch[this.documents[at] as number] = 0
    this.length = kept
  }
}
