/** Reads zip archives whole. */
import { buffer } from "node:stream/consumers"
import yauzl from "yauzl"

/** The files of an archive, by their paths. */
export const unzip = (archive: Buffer): Promise<ReadonlyMap<string, string>> =>
  new Promise((resolve, reject) => {
    yauzl.fromBuffer(archive, { lazyEntries: true }, (error, zip) => {
      if (error !== null) return reject(error)
      const files = new Map<string, string>()
      zip.on("error", reject)
      zip.on("end", () => resolve(files))
      zip.on("entry", (entry: yauzl.Entry) => {
        zip.openReadStream(entry, (failure, stream) => {
          if (failure !== null) return reject(failure)
          buffer(stream).then((content) => {
            files.set(entry.fileName, content.toString("utf8"))
            zip.readEntry()
          }, reject)
        })
      })
      zip.readEntry()
    })
  })
