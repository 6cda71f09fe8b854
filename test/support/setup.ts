import { afterAll } from "bun:test"
import { stopService } from "./service.ts"

afterAll(stopService)
