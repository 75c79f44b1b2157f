/** Documents that a term occurs in, and how often, in columns that are used again and again. */
export class Hits {
  documents = new Uint32Array(1_024)
  frequencies = new Uint32Array(1_024)
  length = 0

  clear(): void {
    this.length = 0
  }

  /** Makes room for so many more. */
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

  /** One entry a document, frequencies summed. `scratch` holds zeros for every document, before and after. */
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
