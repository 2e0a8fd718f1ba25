DROP INDEX "products_latest";--> statement-breakpoint
DROP INDEX "products_discount";--> statement-breakpoint
-- In one statement, because each one writes the whole table again.
ALTER TABLE "products"
	ADD COLUMN "shown_discount" numeric(7, 4) GENERATED ALWAYS AS (case when price_cents * discount >= 10000 then discount else 0 end) STORED NOT NULL,
	ADD COLUMN "rating_score" double precision GENERATED ALWAYS AS (case when rating > 0 then (greatest(rating_count, 1) * rating + 35) / (greatest(rating_count, 1) + 10) else 0 end) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "products_newest" ON "products" USING btree ("is_available" DESC NULLS LAST,"created_at" DESC NULLS LAST,"id","category","rating","final_cents","option_set","brand","seller_id","shown_discount") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_best_rated" ON "products" USING btree ("is_available" DESC NULLS LAST,"rating_score" DESC NULLS LAST,"id","category","rating","final_cents","option_set","brand","seller_id","shown_discount") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_biggest_discount" ON "products" USING btree ("is_available" DESC NULLS LAST,"shown_discount" DESC NULLS LAST,"id","category","rating","final_cents","option_set","brand","seller_id") WHERE is_visible;